import msgspec


class Person(msgspec.Struct):
    name: str
    age: int


msgspec.json.decode(b'{"name": "Ada", "age": 36}', type=Person)
