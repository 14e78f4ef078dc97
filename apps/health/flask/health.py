"""Is it up? At once, or after a wait in which nothing is computed."""

import asyncio
from time import sleep

from flask import Flask

# Seconds that another service would take to answer.
WAIT = 0.1

app = Flask(__name__)


@app.get("/health")
def health():
    return "ok"


@app.get("/health-async")
async def health_async():
    return "ok"


@app.get("/health/wait")
def wait():
    sleep(WAIT)
    return "ok"


@app.get("/health/wait-async")
async def wait_async():
    await asyncio.sleep(WAIT)
    return "ok"
