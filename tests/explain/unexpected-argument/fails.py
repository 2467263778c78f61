import json

# throws: TypeError "JSONEncoder.__init__() got an unexpected keyword argument 'pretty'"
json.dumps([1], pretty=True)
