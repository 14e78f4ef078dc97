import multiprocessing
import threading

import pytest

from guestbook.secret import shared_secret
from guestbook.seed import entries, seed
from guestbook.stores.shelf import ShelveStore

PROCESSES, THREADS, EACH = 4, 3, 10


def add_many(path, process, start):
    store = ShelveStore(path)
    start.wait()

    def work(thread):
        for number in range(EACH):
            store.add(f"{process}-{thread}-{number}", "x")
            assert store.page(1) is not None

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_and_threads_that_add_at_once_lose_nothing(path, method):
    context = multiprocessing.get_context(method)
    start = context.Barrier(PROCESSES)
    workers = [
        context.Process(target=add_many, args=(path, process, start))
        for process in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES

    store = ShelveStore(path)
    total = PROCESSES * THREADS * EACH
    assert store.count() == total
    pages = [store.page(number) for number in range(1, store.page(1).last + 1)]
    names = {entry.name for page in pages for entry in page.entries}
    assert len(names) == total


def read_secret(path, start, secrets):
    start.wait()
    secrets.put(shared_secret(path))


def test_processes_that_start_at_once_agree_on_the_secret(path):
    context = multiprocessing.get_context("fork")
    start, secrets = context.Barrier(PROCESSES), context.Queue()
    workers = [
        context.Process(target=read_secret, args=(path, start, secrets)) for _ in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    assert len({secrets.get(timeout=30) for _ in workers}) == 1
    for worker in workers:
        worker.join()


def test_seeding_twice_is_seeding_once(store):
    assert seed(store)
    once = store.page(1)
    assert seed(store)
    assert store.page(1) == once
    assert (once.count, once.entries) == (50, entries()[::-1])


def test_seeding_leaves_a_visitors_book_alone(store):
    store.add("Ada", "Hello")
    assert not seed(store)
    assert [entry.name for entry in store.page(1).entries] == ["Ada"]
    assert seed(store, replace=True)
    assert store.count() == 50


def test_seeding_repairs_a_book_that_somebody_signed(store):
    seed(store)
    store.add("Ada", "Hello")
    assert not seed(store)
    assert seed(store, replace=True)
    assert store.page(1).entries == entries()[::-1]


def test_entries_survive_the_process_that_wrote_them(path, store):
    store.add("Ada", "Hello")
    entry = ShelveStore(path).page(1).entries[0]
    assert (entry.name, entry.message) == ("Ada", "Hello")
    assert entry.written.utcoffset().total_seconds() == 0
