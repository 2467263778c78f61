import ipaddress

first = ipaddress.ip_address("10.0.0.1")
last = ipaddress.ip_address("10.0.0.9")
list(ipaddress.summarize_address_range(first, last))
