[playlist]
File1=Music\Song.mp3
Title1=Artist - Song
Length1=183
File2=Second.mp3
Title2=Artist - Second
Length2=200
NumberOfEntries=2
Version=2
