import os
import tempfile

import pytest

# `guestbook.app` is made on import: keep its data out of the app's folder
FOLDER = tempfile.TemporaryDirectory(prefix="guestbook-")  # removed when the interpreter ends
os.environ["GUESTBOOK_DATA"] = os.path.join(FOLDER.name, "data")

from guestbook import create_app  # noqa: E402
from guestbook.stores.shelf import ShelveStore  # noqa: E402


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book"


@pytest.fixture
def store(path):
    return ShelveStore(path)


@pytest.fixture
def client(path):
    return create_app(path).test_client()
