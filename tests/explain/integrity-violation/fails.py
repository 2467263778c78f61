import sqlite3

connection = sqlite3.connect(":memory:")
connection.execute("CREATE TABLE user (name TEXT UNIQUE)")
connection.execute("INSERT INTO user VALUES ('ada')")
# throws: IntegrityError "UNIQUE constraint failed: user.name"
connection.execute("INSERT INTO user VALUES ('ada')")
