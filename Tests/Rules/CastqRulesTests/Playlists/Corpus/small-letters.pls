[PLAYLIST]
file1 = one.mp3
TITLE1 = One
length1 = 61
; a comment
FILE2=two.mp3
