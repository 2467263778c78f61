import os

open(os.devnull, "r", encoding="utf-8").close()
