# throws: TypeError "not enough arguments for format string"
"%s is %s" % ("x",)
