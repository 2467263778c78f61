import ipaddress

first = ipaddress.ip_address("10.0.0.1")
last = ipaddress.ip_address("::1")
# throws: TypeError "10.0.0.1 and ::1 are not of the same version"
list(ipaddress.summarize_address_range(first, last))
