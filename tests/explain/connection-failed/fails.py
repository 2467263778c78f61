import socket

with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    address = probe.getsockname()
# throws: ConnectionRefusedError "[Errno 111] Connection refused"
socket.create_connection(address)
