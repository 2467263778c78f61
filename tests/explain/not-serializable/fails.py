import json

# throws: TypeError "Object of type set is not JSON serializable"
json.dumps({"tags": {"a"}})
