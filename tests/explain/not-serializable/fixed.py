import json

json.dumps({"tags": ["a"]})
