import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--name")
# throws: ArgumentError "argument --name: conflicting option string: --name"
parser.add_argument("--name")
