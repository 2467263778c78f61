import sqlite3

connection = sqlite3.connect(":memory:", isolation_level=None)
# throws: OperationalError "cannot commit - no transaction is active"
connection.execute("COMMIT")
