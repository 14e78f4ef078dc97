"""Every store keeps the same book."""

import multiprocessing

import pytest

import services
from guestbook import create_app
from guestbook.seed import entries, seed
from guestbook.stores import PAGE_SIZE, open_store
from guestbook.stores.cached import CachedStore
from guestbook.stores.shelf import ShelveStore


@pytest.fixture(scope="session")
def postgresql():
    with services.postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb():
    with services.mariadb() as url:
        yield url


@pytest.fixture(scope="session")
def memcached():
    with services.memcached() as url:
        yield url


@pytest.fixture(params=["shelve", "sqlite", "postgresql", "mariadb"])
def url(request):
    files = request.param in ("shelve", "sqlite")
    return request.param if files else request.getfixturevalue(request.param)


@pytest.fixture(params=["alone", "cached"])
def cache(request):
    return request.getfixturevalue("memcached") if request.param == "cached" else ""


@pytest.fixture
def kept(path, url, cache):
    store = open_store(path, url, cache)
    store.replace([])
    return store


def test_the_front_page_is_the_same_to_the_byte(path, tmp_path, kept):
    shelf = ShelveStore(tmp_path / "other")
    seed(shelf)
    seed(kept)
    pages = [create_app(path, store).test_client().get("/").data for store in (shelf, kept, kept)]
    assert pages[0] == pages[1] == pages[2]
    assert len(pages[0]) == 7398


def test_what_is_added_comes_first_at_once(kept):
    assert (kept.page(1).entries, kept.page(2), kept.count()) == ([], None, 0)
    for name, message in (("Ada", "one"), ("こんに🖋", "two\nlines"), ("ü" * 40, "ü" * 500)):
        kept.add(name, message)
        newest = kept.page(1).entries[0]
        assert (newest.name, newest.message) == (name, message)
        assert newest.written.utcoffset().total_seconds() == 0
    assert kept.page(1).count == kept.count() == 3


def test_pages_run_from_the_newest_entry_to_the_oldest(kept):
    book = [*entries(), *entries()[:1]]
    kept.replace(book)
    newest, oldest = kept.page(1), kept.page(2)
    assert newest.entries + oldest.entries == book[::-1]
    assert (len(newest.entries), newest.last, oldest.number) == (PAGE_SIZE, 2, 2)
    assert [kept.page(number) for number in (0, -1, 3, 10**30)] == [None] * 4


def test_seeding_leaves_a_visitors_book_alone(kept):
    kept.add("Ada", "Hello")
    assert not seed(kept)
    assert seed(kept, replace=True)
    assert kept.page(1).entries == entries()[::-1]


PROCESSES, EACH = 4, 10


def add_many(path, url, cache, start):
    store = open_store(path, url, cache)
    start.wait()
    for number in range(EACH):
        store.add(f"{number}", "x")
        assert store.page(1) is not None


def test_processes_that_add_at_once_lose_nothing(path, url, cache, kept):
    kept.page(1)
    context = multiprocessing.get_context("fork")
    start = context.Barrier(PROCESSES)
    workers = [
        context.Process(target=add_many, args=(path, url, cache, start)) for _ in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    assert kept.page(1).count == kept.count() == PROCESSES * EACH


def test_a_worker_sees_what_another_signed(path, url, cache, kept):
    other = open_store(path, url, cache)
    assert other.page(1).count == 0
    kept.add("Ada", "Hello")
    assert [entry.name for entry in other.page(1).entries] == ["Ada"]


def test_without_its_cache_a_book_is_still_there(path, tmp_path):
    store = CachedStore(ShelveStore(path), f"memcached://{tmp_path}/nobody")
    store.add("Ada", "Hello")
    assert [entry.name for entry in store.page(1).entries] == ["Ada"]
