"""A login: checks a name and a password against a hash that is slow on purpose.

The password comes as HTTP Basic (RFC 7617). Its hash is scrypt (RFC 7914) with the parameters that
its author gives for interactive logins, n = 2^14, r = 8, p = 1: tens of milliseconds of one core.

Below `/directory` another service is asked instead, as in many companies: the worker does nothing
meanwhile and is not free for anybody else. How many logins a worker does per second is then the
same on every machine.
"""

import base64
import binascii
import hashlib
import hmac
import time

SALT = b"weir: a salt for one account in a laboratory"
ACCOUNT = "ada"
PASSWORD = "correct horse"
# Seconds that the directory takes to answer.
DIRECTORY = 0.03


def derive(password: str) -> bytes:
    return hashlib.scrypt(password.encode(), salt=SALT, n=2**14, r=8, p=1)


STORED = derive(PASSWORD)


def credentials(header: str) -> tuple[str, str] | None:
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return (name, password) if colon else None


def is_known(name: str, password: str) -> bool:
    # An unknown name costs as much as a wrong password, or the time would tell them apart.
    right = hmac.compare_digest(derive(password), STORED)
    return right and name == ACCOUNT


def is_known_elsewhere(name: str, password: str) -> bool:
    time.sleep(DIRECTORY)
    return name == ACCOUNT and hmac.compare_digest(password.encode(), PASSWORD.encode())


def app(environ, start_response):
    given = credentials(environ.get("HTTP_AUTHORIZATION", ""))
    check = is_known_elsewhere if environ["PATH_INFO"] == "/directory" else is_known
    if given and check(*given):
        status, body, extra = "200 OK", f"Welcome, {given[0]}.\n", []
    else:
        status, body = "401 Unauthorized", "Who are you?\n"
        extra = [("WWW-Authenticate", 'Basic realm="login", charset="UTF-8"')]
    body = body.encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    start_response(status, headers + extra)
    return [body]
