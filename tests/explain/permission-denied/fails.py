import sqlite3

connection = sqlite3.connect(":memory:")
connection.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
# throws: DatabaseError "not authorized"
connection.execute("SELECT 1")
