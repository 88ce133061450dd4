[playlist]
File1=from-pls.mp4
NumberOfEntries=1
