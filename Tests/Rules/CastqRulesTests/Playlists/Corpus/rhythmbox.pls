[playlist]
X-GNOME-Title=My radio
NumberOfEntries=1
File1=file:///home/me/Music/a%20song.ogg
Title1=A song
