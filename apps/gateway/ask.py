"""Asks the server that WEIR_URL names until it is ended, with the client of `clients.py` that is its argument: a client
alone, without the front around it."""

import os
import sys

from clients import CLIENTS

BODY = b'{"method": "hello", "params": ["world"]}'

post = CLIENTS[sys.argv[1]](os.environ["WEIR_URL"])
while True:
    post(BODY)
