"""Entries in a relational database: SQLite, PostgreSQL, MariaDB or MySQL."""

from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path

from sqlalchemy import (
    URL,
    Column,
    DateTime,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    func,
    make_url,
    select,
)
from sqlalchemy.dialects import mysql

from guestbook.form import LONGEST_MESSAGE, LONGEST_NAME
from guestbook.stores import PAGE_SIZE, Entry, Page

DRIVERS = {"postgresql": "psycopg", "mysql": "pymysql", "mariadb": "pymysql"}
FARTHEST = 2**31  # more pages than entries can be numbered

METADATA = MetaData()
ENTRIES = Table(
    "entry",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(LONGEST_NAME), nullable=False),
    Column("message", String(LONGEST_MESSAGE), nullable=False),
    # UTC; databases do not agree on time zones
    Column("written", DateTime().with_variant(mysql.DATETIME(fsp=6), "mysql", "mariadb"), nullable=False),
    mysql_charset="utf8mb4",
    mariadb_charset="utf8mb4",
)


class SqlStore:
    def __init__(self, url: str):
        place = with_driver(url)
        self.engine = create_engine(place)
        if place.drivername == "sqlite" and place.database:
            Path(place.database).parent.mkdir(parents=True, exist_ok=True)
        with self.engine.begin() as connection:
            if place.drivername == "sqlite":
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")  # who reads waits for nobody
            METADATA.create_all(connection)
        self.engine.dispose()  # no connection survives the fork of a worker

    def count(self) -> int:
        with self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(ENTRIES))

    def page(self, number: int) -> Page | None:
        if not 1 <= number < FARTHEST:
            return None
        columns = ENTRIES.c
        # counted in the same query, so that both are of one moment
        count = select(func.count()).select_from(ENTRIES).scalar_subquery()
        query = (
            select(columns.name, columns.message, columns.written, count)
            .order_by(columns.id.desc())
            .limit(PAGE_SIZE)
            .offset((number - 1) * PAGE_SIZE)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        if rows:
            entries = [Entry(name, text, written.replace(tzinfo=timezone.utc)) for name, text, written, _ in rows]
            return Page(entries, number, rows[0][-1])
        return Page([], 1, 0) if number == 1 else None

    def add(self, name: str, message: str) -> None:
        with self.engine.begin() as connection:
            connection.execute(ENTRIES.insert(), row(Entry(name, message, datetime.now(timezone.utc))))

    def replace(self, entries: Iterable[Entry]) -> None:
        rows = [row(entry) for entry in entries]
        with self.engine.begin() as connection:
            connection.execute(ENTRIES.delete())
            if rows:
                connection.execute(ENTRIES.insert(), rows)


def row(entry: Entry) -> dict:
    written = entry.written.astimezone(timezone.utc).replace(tzinfo=None)
    return {"name": entry.name, "message": entry.message, "written": written}


def with_driver(text: str) -> URL:
    url = make_url(text)
    driver = DRIVERS.get(url.drivername)
    return url.set(drivername=f"{url.drivername}+{driver}") if driver else url
