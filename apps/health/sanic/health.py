"""Is it up? At once, or after a wait in which nothing is computed."""

import asyncio

from sanic import Sanic, text

# Seconds that another service would take to answer.
WAIT = 0.1

app = Sanic("health")


@app.get("/health")
async def health(request):
    return text("ok")


@app.get("/health/wait")
async def wait(request):
    await asyncio.sleep(WAIT)
    return text("ok")
