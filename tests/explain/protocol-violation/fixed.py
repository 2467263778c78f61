import h11

client = h11.Connection(h11.CLIENT)
client.send(h11.Request(method="GET", target="/", headers=[("Host", "localhost")]))
