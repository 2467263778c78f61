import ssl

ssl.PEM_cert_to_DER_cert("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
