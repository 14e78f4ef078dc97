import os

HERE = os.path.dirname(os.path.abspath(__file__))


def app(environ, start_response):
    path = environ.get("PATH_INFO") or "/"
    if path == "/static/hello.txt":
        with open(os.path.join(HERE, "static", "hello.txt"), "rb") as file:
            body = file.read()
    elif path == "/secret":
        known = environ.get("HTTP_AUTHORIZATION") == "Basic YWRhOmxhYg=="
        body = b"Welcome, ada\n" if known and environ["QUERY_STRING"] == "of=ada" else b"Who are you?\n"
    elif path == "/echo":
        body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    else:
        body = b"Hello from WSGI\n"
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


# what some servers look for
application = app
