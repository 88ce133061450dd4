[playlist]
NumberOfEntries=5
File1=one.mp3
Title1=One
Title2=Two has no file
File3=
