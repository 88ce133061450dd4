[playlist]
File1=first.mp3
Title1=First
File1=again.mp3
File2=second.mp3
NumberOfEntries=2
