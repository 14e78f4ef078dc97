"""`manage.py seed`: a database with the same articles each time."""

from datetime import date, timedelta

from django.core.management import BaseCommand, call_command
from django.db import connection

from articles.models import Article

MANY = 1_000
FIRST = date(2008, 1, 1)


def article(number):
    return Article(
        title=f"Processes or threads, part {number}",
        summary="What a server does with a request while it has others, measured once more and told in a few words.",
        published=FIRST + timedelta(days=number),
    )


class Command(BaseCommand):
    help = "Fill the database."

    def handle(self, *args, **options):
        file = connection.settings_dict["NAME"]
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        call_command("migrate", verbosity=0)
        Article.objects.bulk_create(article(number) for number in range(MANY))
