"""The newest articles: asked of the database, or as they were when the process began."""

from functools import cache

from django.shortcuts import render
from django.http import HttpResponse
from django.template.loader import render_to_string

from .models import Article

NEWEST = 5


def newest():
    return list(Article.objects.all()[:NEWEST])


def from_query(request):
    return render(request, "articles.html", {"articles": newest()})


@cache
def page():
    return render_to_string("articles.html", {"articles": newest()})


def from_memory(request):
    return HttpResponse(page())
