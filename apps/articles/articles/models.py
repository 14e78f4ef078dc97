from django.db import models


class Article(models.Model):
    title = models.CharField(max_length=80)
    summary = models.CharField(max_length=200)
    published = models.DateField(db_index=True)

    class Meta:
        ordering = ["-published"]

    def __str__(self):
        return self.title
