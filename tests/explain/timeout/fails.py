import socket

left, right = socket.socketpair()
with left, right:
    left.settimeout(0.01)
    # throws: TimeoutError "timed out"
    left.recv(1)
