import uuid

# throws: ValueError "badly formed hexadecimal UUID string"
uuid.UUID("not-a-uuid")
