import os
import sys

from django.core.wsgi import get_wsgi_application

# Seconds after which a thread that computes lets others at the interpreter; Python's own are 0.005.
if "SWITCH_INTERVAL" in os.environ:
    sys.setswitchinterval(float(os.environ["SWITCH_INTERVAL"]))

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "magazine.settings")
application = get_wsgi_application()
