import json

# throws: TypeError "the JSON object must be str, bytes or bytearray, not int"
json.loads(42)
