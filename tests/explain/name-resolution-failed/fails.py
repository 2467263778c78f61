import socket

# throws: gaierror "[Errno -2] Name or service not known"
socket.getaddrinfo("no-such-host", 80, flags=socket.AI_NUMERICHOST)
