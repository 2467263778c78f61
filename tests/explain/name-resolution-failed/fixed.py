import socket

socket.getaddrinfo("127.0.0.1", 80, flags=socket.AI_NUMERICHOST)
