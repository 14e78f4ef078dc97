"""echo_peer.py tcp|SOCKET [CERTIFICATE KEY]: echoes WebSocket messages, and says on the first line where.

/times/N closes each connection after N messages; /pieces answers in fragments, with pings between them."""

import asyncio
import contextlib
import itertools
import ssl
import sys

from websockets.asyncio.server import serve, unix_serve
from websockets.exceptions import ConnectionClosed

place, *certified = sys.argv[1:]


async def echo(connection):
    with contextlib.suppress(ConnectionClosed):
        await answer(connection)


async def answer(connection):
    path = connection.request.path
    times = int(path.rpartition("/")[2]) if path.startswith("/times/") else None
    for _ in itertools.count() if times is None else range(times):
        message = await connection.recv()
        if path == "/pieces":
            await connection.ping()
            await connection.send([message[:2], message[2:3], message[3:]])
        else:
            await connection.send(message)


async def main():
    options = {}
    if certified:
        options["ssl"] = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        options["ssl"].load_cert_chain(*certified)
    if place == "tcp":
        server = await serve(echo, "127.0.0.1", 0, **options)
        print("%s:%d" % server.sockets[0].getsockname(), flush=True)
    else:
        server = await unix_serve(echo, place, **options)
        print(place, flush=True)
    await server.serve_forever()


asyncio.run(main())
