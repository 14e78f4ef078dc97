"""A shop of three pages. `SHOP_TUNED` names the one that has been made twice as fast."""

import hashlib
import os

TUNED = os.environ.get("SHOP_TUNED", "")

# Rounds of a hash, which stand for what a page takes. The report is the slowest by far; the list is asked for so often
# that all of its requests together take three times as long.
ROUNDS = {"/list": 6_000, "/item": 4_000, "/report": 80_000}


def app(environ, start_response):
    path = environ["PATH_INFO"]
    rounds = ROUNDS.get(path)
    if rounds is None:
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [b"there is no such page\n"]
    if path == TUNED:
        rounds //= 2
    hashlib.pbkdf2_hmac("sha256", path.encode(), b"shop", rounds)
    body = f"this is {path}\n".encode()
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]
