from django.urls import path

from articles.views import from_memory, from_query, from_template

urlpatterns = [path("query", from_query), path("rendered", from_template), path("memory", from_memory)]
