from django.urls import path

from articles.views import from_memory, from_query

urlpatterns = [path("query", from_query), path("memory", from_memory)]
