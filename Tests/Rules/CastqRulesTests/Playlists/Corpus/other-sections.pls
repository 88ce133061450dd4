[general]
File1=no.mp3
[playlist]
File1=yes.mp3
[more]
File2=neither.mp3
