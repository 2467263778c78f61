import codecs

# throws: LookupError "unknown encoding: no-such-codec"
codecs.lookup("no-such-codec")
