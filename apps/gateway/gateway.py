"""A Flask application that calls RPC servers over HTTP, in JSON, and puts their answers together."""

import json
import os

from flask import Flask

from clients import CLIENTS

app = Flask(__name__)
post = CLIENTS[os.environ["GATEWAY_CLIENT"]](os.environ["GATEWAY_RPC"])

MOST_CALLS = 100


def call(method, *params):
    answer = json.loads(post(json.dumps({"method": method, "params": params}).encode()))
    return answer["result"]


@app.get("/greetings/<int:calls>")
def greetings(calls):
    if calls > MOST_CALLS:
        return {"error": f"more than {MOST_CALLS} calls"}, 400
    return {"greetings": [call("hello", "world") for _ in range(calls)]}
