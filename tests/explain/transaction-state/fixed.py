import sqlite3

connection = sqlite3.connect(":memory:", isolation_level=None)
connection.execute("BEGIN")
connection.execute("COMMIT")
connection.close()
