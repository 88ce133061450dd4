[playlist]
File1=Grüße.mp3
Title1=Grüße aus Österreich
Length1=12
