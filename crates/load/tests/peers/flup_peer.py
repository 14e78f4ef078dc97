"""flup_peer.py fcgi|scgi|ajp tcp|SOCKET: serves the app, and says on the first line where."""

import importlib
import logging
import sys

from app import application

proto, place = sys.argv[1:]
server = importlib.import_module("flup.server." + proto)
logging.getLogger(proto.replace("fcgi", "fcgi-wsgi")).setLevel(logging.ERROR)


class Server(server.WSGIServer):
    def _setupSocket(self):
        listening = super()._setupSocket()
        name = listening.getsockname()
        print(name if isinstance(name, str) else "%s:%d" % name, flush=True)
        return listening


address = ("127.0.0.1", 0) if place == "tcp" else place
options = {} if proto == "fcgi" else {"scriptName": "", "loggingLevel": logging.ERROR}
Server(application, bindAddress=address, **options).run()
