import json

json.loads('{"name": "x"}')
