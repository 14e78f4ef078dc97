from sanic import Sanic, text

app = Sanic("hello")


@app.get("/")
async def hello(request):
    return text("Hello from Sanic\n")
