# throws: TypeError "can only concatenate str (not "int") to str"
"total: " + 3
