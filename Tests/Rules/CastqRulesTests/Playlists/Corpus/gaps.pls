[playlist]
File10=ten.mp3
File2=two.mp3
Title2=Two
File7=seven.mp3
Length7=7
NumberOfEntries=3
Version=2
