import os

from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

SECRET_KEY = "known to everybody: it guards nothing"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "hello"
WSGI_APPLICATION = "hello.application"
urlpatterns = [path("", lambda request: HttpResponse("Hello from Django\n"))]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hello")
application = get_wsgi_application()
