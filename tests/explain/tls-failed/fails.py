import ssl

# throws: ValueError "Invalid PEM encoding; must start with -----BEGIN CERTIFICATE-----"
ssl.PEM_cert_to_DER_cert("not a certificate")
