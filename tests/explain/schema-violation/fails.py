import msgspec


class Person(msgspec.Struct):
    name: str
    age: int


# throws: ValidationError "Expected `int`, got `str` - at `$.age`"
msgspec.json.decode(b'{"name": "Ada", "age": "36"}', type=Person)
