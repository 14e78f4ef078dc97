import os
import socket
import sys

from django.core.wsgi import get_wsgi_application

# Seconds after which a thread that computes lets others at the interpreter; Python's own are 0.005.
if "SWITCH_INTERVAL" in os.environ:
    sys.setswitchinterval(float(os.environ["SWITCH_INTERVAL"]))

# Connections that may wait to be accepted, of which flup asks for as many as this name stands for, once the app is loaded.
if "LISTEN_BACKLOG" in os.environ:
    socket.SOMAXCONN = int(os.environ["LISTEN_BACKLOG"])

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magazine.settings")
application = get_wsgi_application()
