"""Remote procedure calls over HTTP, in MessagePack, as a Flask application."""

import msgpack
from flask import Flask, request

app = Flask(__name__)


def hello(name):
    return f"Hello, {name}!"


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
