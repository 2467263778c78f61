import configparser

settings = configparser.ConfigParser()
settings.read_string("[client]\nname = demo")
# throws: NoSectionError "No section: 'server'"
settings.get("server", "port")
