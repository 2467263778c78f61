"total: " + str(3)
