import h11

client = h11.Connection(h11.CLIENT)
# throws: LocalProtocolError "can't handle event type Data when role=CLIENT and state=IDLE"
client.send(h11.Data(data=b"x"))
