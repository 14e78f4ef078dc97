"""The RPC server in Flask, with a procedure that is slow: what a profile must name."""

import msgpack
from flask import Flask, request

app = Flask(__name__)


def checksum(text):
    """CRC-32, bit by bit."""
    remainder = 0xFFFFFFFF
    for byte in text.encode() * 40:
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (0xEDB88320 if remainder & 1 else 0)
    return remainder ^ 0xFFFFFFFF


def hello(name):
    greeting = f"Hello, {name}!"
    checksum(greeting)
    return greeting


PROCEDURES = {"hello": hello}


def answer(result, status=200):
    return msgpack.packb(result), status, {"Content-Type": "application/msgpack"}


@app.post("/rpc")
def rpc():
    try:
        call = msgpack.unpackb(request.get_data())
        procedure = PROCEDURES[call["method"]]
        return answer({"result": procedure(*call["params"])})
    except KeyError:
        return answer({"error": "no such method"}, 404)
    except (TypeError, ValueError):
        return answer({"error": "not a call"}, 400)
