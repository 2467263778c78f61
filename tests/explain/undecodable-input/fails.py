import json

# throws: JSONDecodeError "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"
json.loads("{'name': 'x'}")
