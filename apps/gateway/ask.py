"""Asks the server that WEIR_URL names until it is ended, with the client of `clients.py` that is its argument, or with
`aiohttp`: a client alone, without the front around it."""

import asyncio
import os
import sys

from clients import CLIENTS, HEADERS

BODY = b'{"method": "hello", "params": ["world"]}'


async def aiohttp(url):
    import aiohttp

    async with aiohttp.ClientSession() as session:
        while True:
            async with session.post(url, data=BODY, headers=HEADERS) as answer:
                answer.raise_for_status()
                await answer.read()


def ask(client, url):
    if client == "aiohttp":
        asyncio.run(aiohttp(url))
    post = CLIENTS[client](url)
    while True:
        post(BODY)


ask(sys.argv[1], os.environ["WEIR_URL"])
