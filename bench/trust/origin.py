"""A server that does as the query of its URL says, and knows the truth about its own times.

`python3 origin.py` prints its port, which the kernel chose, and serves HTTP/1.1 until its standard input ends.

    delay=0.01     seconds that each answer takes, whatever else is under way
    law=steps      each answer takes a time drawn from a law of LAWS; `seed=1` repeats the draws
    serial=0.01    the same, one answer after another
    drift=0.02     answers take up to so much, in a saw tooth of 1.3 s
    wrong=50       each 50th answer has another body, `fail=50` the status 500, `slow=50` takes `late` seconds (1)
    hang=50        each 50th request gets no answer; `once=yes` the first such only, of this and of `slow`
    early=100      the first 100 requests fail (`early=100&late=0.05`: take so long instead)
    number=yes     each body has its number
    body=100000    bytes of a body
    close=100      a connection is closed after 100 answers (`announced=yes`: the last one says so)
    limit=20       a request on a connection beyond the 20th that are open closes it

`/truth` answers with the seconds from arrival to departure of each answer to `law` so far, in JSON, and forgets them.
"""

import asyncio
import json
import random
import socket
import sys
import time
import urllib.parse

LAWS = {
    "steps": lambda draw: 0.1 if draw.random() < 0.6 else draw.choices([0.2, 0.4, 0.8, 1.6], [320, 60, 16, 4])[0],
    "exponential": lambda draw: 0.1 + draw.expovariate(1 / 0.1),
    "log-normal": lambda draw: 0.1 + draw.lognormvariate(-2.5, 0.8),
}
"""Seconds that an answer takes: steps far apart, and two with tails of their own."""
REASONS = {200: "OK", 404: "Not Found", 500: "Internal Server Error"}


class Origin:
    """What all connections share."""

    def __init__(self):
        self.requests, self.open, self.free, self.once, self.took, self.draw = 0, 0, 0.0, False, [], None

    def every(self, asked, key):
        """Whether the request of this moment is the one of so many that `key` asks for."""
        if key not in asked or self.requests % int(asked[key]):
            return False
        again, self.once = self.once, "once" in asked
        return not again

    def status(self, asked):
        early = self.requests <= int(asked.get("early", 0)) and "late" not in asked
        return 500 if early or self.every(asked, "fail") else int(asked.get("status", 200))

    def seconds(self, asked):
        """How long this answer takes; None for ever."""
        now = time.monotonic()
        if self.every(asked, "hang"):
            return None
        if self.requests <= int(asked.get("early", 0)) or self.every(asked, "slow"):
            return float(asked.get("late", 1 if "slow" in asked else 0))
        if "serial" in asked:
            self.free = max(self.free, now) + float(asked["serial"])
            return self.free - now
        if "drift" in asked:
            return float(asked["drift"]) * (0.1 + now % 1.3)
        if "law" in asked:
            self.draw = self.draw or random.Random(int(asked["seed"]))
            return LAWS[asked["law"]](self.draw)
        return float(asked.get("delay", 0))

    def body(self, asked):
        if self.every(asked, "wrong"):
            return b"otherwise\n"
        return b"hello\n" + b"x" * int(asked.get("body", 0)) + (f"{self.requests}\n".encode() if "number" in asked else b"")


class Connection(asyncio.Protocol):
    """One client, whose requests have no body."""

    def __init__(self, origin):
        self.origin, self.unread, self.answers, self.asked = origin, b"", 0, {}

    def connection_made(self, transport):
        self.transport = transport
        self.origin.open += 1

    def connection_lost(self, _reason):
        self.origin.open -= 1

    def data_received(self, data):
        arrived = time.monotonic()
        self.unread += data
        while b"\r\n\r\n" in self.unread:
            head, _, self.unread = self.unread.partition(b"\r\n\r\n")
            self.request(head.split(b" ", 2)[1].decode(), arrived)

    def request(self, target, arrived):
        path, _, query = target.partition("?")
        asked = dict(urllib.parse.parse_qsl(query))
        if path == "/truth":
            took, self.origin.took = self.origin.took, []
            return self.write(200, json.dumps(took).encode())
        if self.origin.open > int(asked.get("limit", 10**9)):
            return self.transport.close()
        self.origin.requests += 1
        status, body, seconds = self.origin.status(asked), self.origin.body(asked), self.origin.seconds(asked)
        if seconds is None:
            return None
        if seconds == 0:
            return self.answer(asked, status, body, arrived)
        loop = asyncio.get_running_loop()
        return loop.call_later(seconds, self.answer, asked, status, body, arrived)

    def answer(self, asked, status, body, arrived):
        self.answers += 1
        last = self.answers >= int(asked.get("close", 10**9))
        self.write(status, body, "Connection: close\r\n" if last and "announced" in asked else "")
        if "law" in asked:
            self.origin.took.append(time.monotonic() - arrived)
        if last:
            self.transport.close()

    def write(self, status, body, more=""):
        head = f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
        self.transport.write(head.encode() + body)


async def serve():
    origin, loop = Origin(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(origin), "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    sys.exit(0)


def one_at_a_time(backlog):
    """A server that takes a connection, works for 5 ms, answers and closes, with so long an accept queue."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=backlog)
    print(listener.getsockname()[1], flush=True)
    while True:
        with listener.accept()[0] as client:
            client.recv(65536)
            time.sleep(0.005)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        one_at_a_time(int(sys.argv[1]))
    else:
        asyncio.run(serve())
