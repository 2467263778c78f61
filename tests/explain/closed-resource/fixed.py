import io

stream = io.BytesIO(b"data")
stream.read()
stream.close()
