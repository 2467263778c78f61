# throws: ValueError "binary mode doesn't take an encoding argument"
open("notes.txt", "rb", encoding="utf-8")
