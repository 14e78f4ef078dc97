"""A store with memcached in front: the front page comes from the cache until somebody signs."""

import contextlib
import secrets
from collections.abc import Iterable

from pymemcache import MemcacheError, PooledClient
from pymemcache.serde import pickle_serde

from guestbook.stores import Entry, Page, Store

AGE = "age"
FRONT = 1
EXPIRES = 3600
PATIENCE = 1.0


class CachedStore:
    def __init__(self, store: Store, url: str):
        self.store = store
        server = url.removeprefix("memcached://")
        # `ignore_exc` is for what is asked: without its cache a book is slower, and still there
        self.cache = PooledClient(
            server, serde=pickle_serde, connect_timeout=PATIENCE, timeout=PATIENCE, ignore_exc=True
        )

    def count(self) -> int:
        return self.store.count()

    def page(self, number: int) -> Page | None:
        if number != FRONT:
            return self.store.page(number)
        # Kept under a name of its time: whoever read the store before somebody signed and writes
        # into the cache afterwards writes under a name that nobody asks for any more.
        key = f"front-{self._age()}"
        page = self.cache.get(key)
        if page is None:
            page = self.store.page(number)
            with unless_gone():
                self.cache.set(key, page, expire=EXPIRES)
        return page

    def add(self, name: str, message: str) -> None:
        self.store.add(name, message)
        self._new_age()

    def replace(self, entries: Iterable[Entry]) -> None:
        self.store.replace(entries)
        self._new_age()

    def _age(self) -> str | None:
        age = self.cache.get(AGE)
        if age is None:
            with unless_gone():
                self.cache.add(AGE, secrets.token_hex(8), noreply=False)
            age = self.cache.get(AGE)
        return age

    def _new_age(self) -> None:
        with unless_gone():
            self.cache.set(AGE, secrets.token_hex(8), noreply=False)


def unless_gone() -> contextlib.AbstractContextManager:
    return contextlib.suppress(OSError, MemcacheError)
