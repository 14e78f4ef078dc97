# The example project of django-guardian, set up as its documentation says.
sdist django-guardian 2.4.0
cd django-guardian-2.4.0/example_project
PYTHONDONTWRITEBYTECODE=1 ../../python/bin/python manage.py migrate --verbosity 0
