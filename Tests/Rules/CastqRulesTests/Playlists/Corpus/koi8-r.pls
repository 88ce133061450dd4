[playlist]
NumberOfEntries=2
File1=http://radio.example/one.mp3
Title1=Радио Классика
Length1=-1
File2=Песня.mp3
Title2=Последняя песня
Length2=61
Version=2
