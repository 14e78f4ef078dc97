"""Real databases and caches on folders of their own, over Unix sockets in them."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 60
DEBIAN = "/usr/lib/postgresql"


def program(name: str) -> str:
    versions = sorted(Path(DEBIAN).glob("*/bin"), key=lambda path: float(path.parent.name)) if os.path.isdir(DEBIAN) else []
    folders = [os.environ["PATH"], "/usr/sbin", *map(str, reversed(versions))]
    found = shutil.which(name, path=os.pathsep.join(folders))
    assert found, f"{name} is missing: run `make deps`"
    return found


def as_user(name: str) -> list[str]:
    """These servers refuse to run as root."""
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--init-groups"] if os.geteuid() == 0 else []


@contextlib.contextmanager
def folder(user: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="guestbook-", dir="/tmp") as path:
        if os.geteuid() == 0:
            shutil.chown(path, user, user)
        yield Path(path)


@contextlib.contextmanager
def running(argv: list[str], ready: list[str] | Path, stop: int = signal.SIGTERM) -> Iterator[None]:
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(argv, stdout=log, stderr=log, start_new_session=True)
        try:
            deadline = time.monotonic() + PATIENCE
            while not serves(ready):
                log.seek(0)
                assert server.poll() is None and time.monotonic() < deadline, log.read().decode()
                time.sleep(0.02)
            yield
        finally:
            server.send_signal(stop)
            server.wait(PATIENCE)


def serves(ready: list[str] | Path) -> bool:
    if isinstance(ready, Path):
        return ready.exists()
    return subprocess.run(ready, capture_output=True).returncode == 0


@contextlib.contextmanager
def postgresql() -> Iterator[str]:
    with folder("postgres") as path:
        initdb = [program("initdb"), "-D", path / "data", "-U", "book", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(as_user("postgres") + initdb, check=True, capture_output=True)
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={path}", "-c", "fsync=off"]
        ready = ["grep", "-q", "^ready", path / "data/postmaster.pid"]
        server = [*as_user("postgres"), program("postgres"), "-D", path / "data", *options]
        with running(server, ready, signal.SIGINT):  # TERM would wait for clients
            yield f"postgresql://book@/postgres?host={path}"


@contextlib.contextmanager
def mariadb() -> Iterator[str]:
    with folder("mysql") as path:
        install = [program("mariadb-install-db"), "--no-defaults", f"--datadir={path}/data"]
        install += ["--auth-root-authentication-method=normal", "--innodb-flush-method=nosync"]
        subprocess.run(as_user("mysql") + install, check=True, capture_output=True)
        server = [program("mariadbd"), "--no-defaults", f"--datadir={path}/data", f"--socket={path}/s"]
        server += ["--skip-networking", "--character-set-server=utf8mb4", "--innodb-flush-method=nosync", "--innodb-flush-log-at-trx-commit=0"]
        ready = [program("mariadb-admin"), "--no-defaults", f"--socket={path}/s", "ping"]
        with running(as_user("mysql") + server, ready):
            yield f"mysql://root@localhost/test?unix_socket={path}/s"


@contextlib.contextmanager
def memcached() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="guestbook-", dir="/tmp") as path:
        user = ["-u", "root"] if os.geteuid() == 0 else []
        socket = Path(path, "s")
        with running([program("memcached"), "-s", str(socket), *user], socket):
            yield f"memcached://{socket}"
