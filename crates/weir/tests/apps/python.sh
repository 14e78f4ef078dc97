# A virtual environment as a user of the Python apps has it, with some servers.
python3 -m venv python
python/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
