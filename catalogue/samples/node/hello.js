const http = require("http");

const { HOST, PORT, SOCKET } = process.env;
const BODY = "Hello from Node\n";

http
  .createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": BODY.length });
    response.end(BODY);
  })
  .listen(SOCKET ? { path: SOCKET } : { host: HOST, port: PORT });
