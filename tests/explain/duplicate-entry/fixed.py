import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--name")
parser.add_argument("--surname")
