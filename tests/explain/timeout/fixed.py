import socket

left, right = socket.socketpair()
with left, right:
    left.settimeout(0.01)
    right.send(b"x")
    left.recv(1)
