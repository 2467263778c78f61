import json

json.dumps([1], indent=2)
