"""Remote procedure calls over HTTP, in MessagePack, straight on WSGI (PEP 3333)."""

import msgpack


def hello(name):
    return f"Hello, {name}!"


PROCEDURES = {"hello": hello}


def called(body):
    try:
        call = msgpack.unpackb(body)
        procedure = PROCEDURES[call["method"]]
        return "200 OK", {"result": procedure(*call["params"])}
    except KeyError:
        return "404 Not Found", {"error": "no such method"}
    except (TypeError, ValueError):
        return "400 Bad Request", {"error": "not a call"}


def app(environ, start_response):
    if environ["PATH_INFO"] != "/rpc":
        start_response("404 Not Found", [("Content-Length", "0")])
        return []
    if environ["REQUEST_METHOD"] != "POST":
        start_response("405 Method Not Allowed", [("Allow", "POST"), ("Content-Length", "0")])
        return []
    length = int(environ.get("CONTENT_LENGTH") or 0)
    status, result = called(environ["wsgi.input"].read(length))
    body = msgpack.packb(result)
    start_response(status, [("Content-Type", "application/msgpack"), ("Content-Length", str(len(body)))])
    return [body]
