// Is it up? At once, or after a wait in which nothing is computed.
const http = require("node:http");
const { setTimeout: sleep } = require("node:timers/promises");

const { HOST, PORT, SOCKET } = process.env;
// What another service would take to answer, milliseconds.
const WAIT = 100;

const server = http.createServer(async (request, response) => {
  if (request.url === "/health/wait") await sleep(WAIT);
  else if (request.url !== "/health") response.statusCode = 404;
  const body = response.statusCode === 200 ? "ok" : "no such page";
  response.setHeader("Content-Type", "text/plain");
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
});
server.listen(SOCKET ? { path: SOCKET } : { host: HOST, port: PORT });
