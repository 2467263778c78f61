import codecs

codecs.lookup("utf-8")
