import io

stream = io.BytesIO(b"data")
stream.close()
# throws: ValueError "I/O operation on closed file."
stream.read()
