# throws: FileNotFoundError "[Errno 2] No such file or directory: 'settings-of-nobody.ini'"
open("settings-of-nobody.ini")
