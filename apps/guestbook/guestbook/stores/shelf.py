"""Entries in a `shelve` file: one key per entry, numbered from 1 in the order of arrival."""

import contextlib
import fcntl
import shelve
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path

from guestbook.stores import PAGE_SIZE, Entry, Page


class ShelveStore:
    def __init__(self, path: Path):
        self.path = path
        self.lock = path.with_name(path.name + ".lock")
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._open(fcntl.LOCK_EX):
            pass  # there is a file from now on, which readers rely on

    def count(self) -> int:
        with self._open(fcntl.LOCK_SH) as shelf:
            return len(shelf)

    def page(self, number: int) -> Page | None:
        with self._open(fcntl.LOCK_SH) as shelf:
            count = len(shelf)
            newest = count - (number - 1) * PAGE_SIZE
            if number < 1 or (number > 1 and newest < 1):
                return None
            keys = range(newest, max(0, newest - PAGE_SIZE), -1)
            return Page([Entry(*shelf[str(key)]) for key in keys], number, count)

    def add(self, name: str, message: str) -> None:
        with self._open(fcntl.LOCK_EX) as shelf:
            put(shelf, [Entry(name, message, datetime.now(timezone.utc))])

    def replace(self, entries: Iterable[Entry]) -> None:
        with self._locked(fcntl.LOCK_EX), shelve.open(str(self.path), "n") as shelf:
            put(shelf, entries)

    @contextlib.contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        with open(self.lock, "a") as lock:
            fcntl.flock(lock, kind)
            yield

    @contextlib.contextmanager
    def _open(self, kind: int) -> Iterator[shelve.Shelf]:
        # Opened anew each time and never kept: dbm modules do not see what another process wrote,
        # and an open handle does not survive a fork.
        flag = "r" if kind == fcntl.LOCK_SH else "c"
        with self._locked(kind), shelve.open(str(self.path), flag) as shelf:
            yield shelf


def put(shelf: shelve.Shelf, entries: Iterable[Entry]) -> None:
    for key, entry in enumerate(entries, start=len(shelf) + 1):
        # a plain tuple: the file stays readable when the class changes
        shelf[str(key)] = (entry.name, entry.message, entry.written)
