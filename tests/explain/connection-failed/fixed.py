import socket

with socket.socket() as server:
    server.bind(("127.0.0.1", 0))
    server.listen()
    address = server.getsockname()
    socket.create_connection(address).close()
