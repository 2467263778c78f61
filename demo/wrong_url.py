"""A program with a mistake that many have made: the URL has no scheme."""

import requests

requests.get("example.com")
