import csv

csv.field_size_limit(10)
# throws: Error "field larger than field limit (10)"
list(csv.reader(["a field of more than ten characters"]))
