import http.server
import os
import socketserver

BODY = b"Hello from a program\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def address_string(self):
        return "client"

    def log_message(self, format, *args):
        pass


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 128


class TcpServer(http.server.ThreadingHTTPServer):
    request_queue_size = 128


if "SOCKET" in os.environ:
    UnixServer(os.environ["SOCKET"], Handler).serve_forever()
else:
    TcpServer((os.environ["HOST"], int(os.environ["PORT"])), Handler).serve_forever()
