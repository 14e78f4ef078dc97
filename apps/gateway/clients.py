"""Ways to send a POST request over HTTP: each makes a function that takes a request's body and returns the answer's.

Those that keep connections keep as many as there may be requests at once, so none of them waits for another's.
"""

import http.client
import socket
from urllib.parse import urlsplit

HEADERS = {"Content-Type": "application/json"}
POOL = 100


def requests_session(url):
    import requests

    session = requests.Session()
    session.mount(url, requests.adapters.HTTPAdapter(pool_connections=1, pool_maxsize=POOL))

    def post(body):
        answer = session.post(url, data=body, headers=HEADERS)
        answer.raise_for_status()
        return answer.content

    return post


def requests_anew(url):
    """`requests` as it is used most: without a session it opens a connection for each request."""
    import requests

    def post(body):
        answer = requests.post(url, data=body, headers=HEADERS)
        answer.raise_for_status()
        return answer.content

    return post


def urllib3(url):
    import urllib3

    pool = urllib3.connection_from_url(url, maxsize=POOL)

    def post(body):
        answer = pool.request("POST", "/", body=body, headers=HEADERS)
        if answer.status >= 400:
            raise RuntimeError(f"status {answer.status}")
        return answer.data

    return post


def httpx(url):
    import httpx

    client = httpx.Client(limits=httpx.Limits(max_connections=POOL, max_keepalive_connections=POOL))

    def post(body):
        answer = client.post(url, content=body, headers=HEADERS)
        answer.raise_for_status()
        return answer.content

    return post


def geventhttpclient(url):
    """Made for gevent's loop: a parser in C on gevent's own sockets."""
    from geventhttpclient import HTTPClient

    client = HTTPClient.from_url(url, concurrency=POOL)

    def post(body):
        answer = client.post("/", body=body, headers=HEADERS)
        content = bytes(answer.read())
        if answer.status_code >= 400:
            raise RuntimeError(f"status {answer.status_code}")
        return content

    return post


class InOneSegment(http.client.HTTPConnection):
    """What `http.client` sends in two pieces, the head and the body, sent as one."""

    def request(self, *args, **kwargs):
        self.held = []
        super().request(*args, **kwargs)
        super().send(b"".join(self.held))

    def send(self, data):
        self.held.append(data)


class WithNagle(http.client.HTTPConnection):
    """`http.client` with Nagle's algorithm, which it turns off: its second piece waits until the first is acknowledged."""

    def connect(self):
        super().connect()
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)


def standard_library(connection_class):
    def client(url):
        address = urlsplit(url).netloc
        idle = []

        def post(body):
            connection = idle.pop() if idle else connection_class(address)
            connection.request("POST", "/", body=body, headers=HEADERS)
            answer = connection.getresponse()
            content = answer.read()
            idle.append(connection)
            if answer.status >= 400:
                raise RuntimeError(f"status {answer.status}")
            return content

        return post

    return client


CLIENTS = {
    "requests": requests_session,
    "requests-anew": requests_anew,
    "urllib3": urllib3,
    "httpx": httpx,
    "geventhttpclient": geventhttpclient,
    "two-segments": standard_library(http.client.HTTPConnection),
    "two-segments-nagle": standard_library(WithNagle),
    "one-segment": standard_library(InOneSegment),
}
