"""Where entries are kept.

A store has four methods: `page`, `add`, `count` and `replace`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

PAGE_SIZE = 50


@dataclass(frozen=True)
class Entry:
    name: str
    message: str
    written: datetime


@dataclass(frozen=True)
class Page:
    entries: list[Entry]
    number: int
    count: int
    """Entries in the whole book."""

    @property
    def last(self) -> int:
        return max(1, -(-self.count // PAGE_SIZE))


class Store(Protocol):
    def count(self) -> int:
        """How many entries there are."""

    def page(self, number: int) -> Page | None:
        """Page `number` (from 1), newest entry first; None if there is no such page."""

    def add(self, name: str, message: str) -> None:
        """Puts an entry on top."""

    def replace(self, entries: Iterable[Entry]) -> None:
        """Forgets what there is and keeps `entries`, oldest first."""


def open_store(path: Path, url: str = "", cache: str = "") -> Store:
    """The store at `url`, or in the file `path` where there is none; behind the cache at `cache`."""
    # imported where they are used: a guestbook on a file needs no database driver
    if url and url != "shelve":
        from guestbook.stores.sql import SqlStore

        store = SqlStore(f"sqlite:///{path}.sqlite" if url == "sqlite" else url)
    else:
        from guestbook.stores.shelf import ShelveStore

        store = ShelveStore(path)
    if cache:
        from guestbook.stores.cached import CachedStore

        store = CachedStore(store, cache)
    return store
