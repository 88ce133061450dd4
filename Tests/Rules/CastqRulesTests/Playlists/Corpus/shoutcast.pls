[playlist]
numberofentries=3
File1=http://192.0.2.10:8000
Title1=(#1 - 112/500) Example FM - The best of everything
Length1=-1
File2=http://192.0.2.11:8000/;stream.mp3
Title2=(#2 - 80/500) Example FM
Length2=-1
File3=http://192.0.2.12:8000/stream
Title3=(#3 - 0/500) Example FM
Length3=-1
Version=2
