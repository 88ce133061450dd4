[playlist]
numberofentries=2
File1=https://ice4.example/groovesalad-128-aac
Title1=SomaFM: Groove Salad (#1): A nicely chilled plate of ambient/downtempo beats and grooves.
Length1=-1
File2=https://ice2.example/groovesalad-128-aac
Title2=SomaFM: Groove Salad (#2)
Length2=-1
Version=2
