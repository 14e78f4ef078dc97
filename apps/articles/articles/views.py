"""The newest articles: asked of the database, or as they were when the process began."""

import os
from functools import cache

from django.shortcuts import render
from django.http import HttpResponse
from django.template.loader import render_to_string

from .models import Article

NEWEST = 5
# bytes that each answer from memory leaves behind, as a program does that forgets to forget
LEAK = int(os.environ.get("ARTICLES_LEAK", "0"))
left = []


def newest():
    return list(Article.objects.all()[:NEWEST])


def from_query(request):
    return render(request, "articles.html", {"articles": newest()})


@cache
def kept():
    return newest()


def from_template(request):
    """What the query costs beside: the same page, rendered anew of articles that were asked for once."""
    return render(request, "articles.html", {"articles": kept()})


@cache
def page():
    return render_to_string("articles.html", {"articles": newest()})


def from_memory(request):
    if LEAK:
        left.append(b"x" * LEAK)
    return HttpResponse(page())
