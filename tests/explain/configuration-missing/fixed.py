import configparser

settings = configparser.ConfigParser()
settings.read_string("[server]\nport = 80")
settings.get("server", "port")
