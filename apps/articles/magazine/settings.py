"""Settings of a laboratory: nothing here is a secret."""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = "known to everybody: it guards nothing"
DEBUG = False
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "magazine.urls"
WSGI_APPLICATION = "magazine.wsgi.application"
INSTALLED_APPS = ["articles"]
MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": BASE_DIR / "data" / "articles.sqlite3",
        # as for a database server: a connection is kept by its thread
        "CONN_MAX_AGE": None,
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
