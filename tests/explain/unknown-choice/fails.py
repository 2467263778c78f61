# throws: ValueError "invalid mode: 'q'"
open("notes.txt", "q")
