"""A small WSGI app that says what it was asked, and how often."""

import threading

counting = threading.Lock()
greeted = 0


def hello(environ):
    global greeted
    with counting:
        greeted += 1
    return "200 OK", b"hello, world\n"


def count(environ):
    return "200 OK", b"%d greeted\n" % greeted


def echo(environ):
    names = ("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "SERVER_PROTOCOL",
             "SERVER_NAME", "SERVER_PORT", "REMOTE_ADDR", "HTTP_HOST", "HTTP_USER_AGENT", "HTTP_X_ANSWER")
    lines = ["%s=%s" % (name, environ.get(name)) for name in names]
    return "200 OK", ("\n".join(lines) + "\n").encode("latin-1")


def large(environ):
    return "200 OK", b"0123456789abcdef" * 20_000


def missing(environ):
    return "404 Not Found", b"none\n"


def fail(environ):
    environ["wsgi.errors"].write("out of cheese\n")
    return "500 Internal Server Error", b"sorry\n"


def origin(environ):
    """What of the client's end is wrong."""
    port = environ.get("REMOTE_PORT", "")
    real = port.isdigit() and 1024 <= int(port) < 65536 and environ["REMOTE_ADDR"] == "127.0.0.1"
    return "200 OK", b"real %s\n" % environ.get("APP_ENV", "").encode() if real else port.encode()


def mirror(environ):
    return "200 OK", environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))


# Not every server decodes the path.
PAGES = {"/": hello, "/count": count, "/echo it": echo, "/echo%20it": echo, "/large": large, "/fail": fail,
         "/mirror": mirror, "/origin": origin}


def application(environ, start_response):
    status, body = PAGES.get(environ["PATH_INFO"].partition("?")[0], missing)(environ)
    headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))]
    if environ["QUERY_STRING"] == "until-the-end":
        headers.pop()
    start_response(status, headers)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
