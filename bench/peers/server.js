// server.js http|h2c|h2 FOLDER [CERTIFICATE KEY]: serves a folder; says its port on the first line.
const fs = require('node:fs');
const [how, folder, cert, key] = process.argv.slice(2);

function answer(request, response) {
  let length = 0;
  request.on('data', (piece) => { length += piece.length; });
  request.on('end', () => {
    const body = request.method === 'POST' ? Buffer.from(`${length}\n`) : fs.readFileSync(folder + request.url);
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length });
    response.end(body);
  });
}

const server = how === 'http' ? require('node:http').createServer(answer)
  : how === 'h2c' ? require('node:http2').createServer(answer)
    : require('node:http2').createSecureServer({ cert: fs.readFileSync(cert), key: fs.readFileSync(key) }, answer);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
