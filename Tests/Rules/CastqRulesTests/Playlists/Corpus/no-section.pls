File1=http://h/a.mp3
Title1=Alone
