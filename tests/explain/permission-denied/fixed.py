import sqlite3

connection = sqlite3.connect(":memory:")
connection.set_authorizer(lambda *_: sqlite3.SQLITE_OK)
connection.execute("SELECT 1")
connection.close()
