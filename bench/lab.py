"""The laboratory: a private nginx, programs measured by the CPU time that they used, and ratios."""

import contextlib
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / ".deps/bench"
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PAIRS = int(os.environ.get("PAIRS", 7))
SECONDS = int(os.environ.get("SECONDS_EACH", 3))
LOAD_CORE = os.environ.get("LOAD_CORE", "0")
SERVER_CORE = os.environ.get("SERVER_CORE", "1")

SELDOM = 3
"""Runs of a generator that is in a table and in no goal."""
LONGEST = 180
"""Seconds that a run may take: what does not end by itself is ended. The longest that does takes a minute."""
SPARE = 200
"""Files of a program that are no connections, more than any has."""

os.environ["PATH"] += f":{PEERS}/bin:{PEERS}/node_modules/.bin:/usr/sbin:/sbin"


def room(connections):
    """So many connections, or as many as a program may open here beside its other files."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # what is started here inherits it, and of the peers none raises its own
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return connections if hard == resource.RLIM_INFINITY else min(connections, hard - SPARE)


class Unmeasured(Exception):
    """Why a comparison could not be made. It is printed, and never counts as met."""


class Failed(Exception):
    """weir itself did not do what was asked: that falls short of any goal."""


@dataclass
class Server:
    """A running nginx; `places` maps what is served to its path."""

    port: int
    tls: int
    folder: pathlib.Path
    address: str = "127.0.0.1"

    def url(self, path="/", scheme="http"):
        port = self.tls if scheme == "https" else self.port
        return f"{scheme}://{self.address}:{port}{path}"

    def body(self, path="/"):
        """weir's arguments to compare each body, to the byte, with what is served there."""
        return "--equals", self.folder / "files" / (path.strip("/") or "index")


def free_ports(how_many):
    """So many different ones."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(how_many)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def config(folder, port, tls, workers, each):
    """`each` files at most; places for a quarter more connections, or nginx would close those that wait before it is full."""
    certificate = f"ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;"
    alone = "master_process off;" if workers == 1 else f"worker_processes {workers};"
    reuse = "reuseport" if workers > 1 else ""
    return f"""
daemon off; {alone} worker_rlimit_nofile {each}; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections {each * 5 // 4}; }}
http {{
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; sendfile on; tcp_nopush on;
  http2_max_concurrent_streams 128; open_file_cache max=16;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=65535 {reuse}; listen 127.0.0.1:{tls} ssl; {certificate}
    root {folder}/files;
    location = / {{ return 200 "ok\\n"; }}
  }}
}}
"""


def h2_config(text):
    """The same server, which speaks HTTP/2 with prior knowledge (nginx has that per port)."""
    return text.replace("backlog=65535", "backlog=65535 http2")


@contextlib.contextmanager
def server(workers=1, http2=False, pinned=True, most=None):
    """Starts nginx (`access_log off`) on ports that the kernel chose; one process, pinned to a core
    of its own, unless said otherwise. `most` is what each process opens at most. Serves `/` (3 bytes),
    `/7k` (7,400) and `/1m` (1,048,576)."""
    if not shutil.which("nginx"):
        raise Unmeasured("`nginx` is missing; `make bench` installs it")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="weir-bench-"))
    process = None
    try:
        fill(folder)
        process, port, tls = start(folder, workers, http2, pinned, most or (20_000 if workers > 1 else 5_000))
        yield Server(port, tls, folder)
    finally:
        if process:
            process.terminate()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def fill(folder):
    """What is served, and with which certificate."""
    folder.chmod(0o755)
    (folder / "files").mkdir()
    for name, size in (("index", 3), ("7k", 7400), ("1m", 1 << 20)):
        (folder / "files" / name).write_bytes(b"x" * (size - 3) + b"ok\n")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
               "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise Unmeasured("`openssl` is missing; `make bench` installs it") from error
    except subprocess.CalledProcessError as error:
        raise Unmeasured(f"`openssl` made no certificate: {problem(error.stderr)}") from error


def start(folder, workers, http2, pinned, most):
    # Somebody may take a port between choosing and binding: then nginx ends, and we choose again.
    for _ in range(5):
        port, tls = free_ports(2)
        text = config(folder, port, tls, workers, most)
        (folder / "nginx.conf").write_text(h2_config(text) if http2 else text)
        pin = ["taskset", "-c", SERVER_CORE] if pinned and workers == 1 else []
        process = subprocess.Popen(
            [*pin, "nginx", "-e", folder / "error.log", "-c", folder / "nginx.conf"],
            stderr=subprocess.DEVNULL)
        while process.poll() is None:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return process, port, tls
            time.sleep(0.01)
    raise Unmeasured(f"nginx did not start: {(folder / 'error.log').read_text().strip()}")


@dataclass
class Spent:
    """What a program used and did."""

    cpu: float
    """Seconds of CPU time in user mode and in the kernel, of the program and its children."""
    peak: int
    """Largest resident set of the program and its children in KiB, to a tenth of a second before the
    end. (`getrusage` would begin with that of the Python which started it.)"""
    completed: int
    """Requests that it says were answered."""
    seconds: float
    memory: list
    """Resident set in KiB, ten times a second."""
    said: str
    """Its output."""
    kernel: float = 0.0
    """Of the CPU time, what it spent in the kernel."""
    engine: tuple = ()
    """Of the CPU time, what its load engine took in user mode and in the kernel; nothing where it does not say."""

    @property
    def cost(self):
        """Microseconds of CPU time per request."""
        return self.cpu / self.completed * 1e6


def measure(tool, argv, core=LOAD_CORE):
    """Runs a program to its end, pinned to `core` (anywhere for None); `tool.completed` reads from
    what it prints how many requests were answered, and `tool.engine` what CPU time its load engine took."""
    pin = ["taskset", "-c", str(core)] if core is not None else []
    begun, memory = time.monotonic(), [(0, 0)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen([*pin, *map(str, argv)], stdout=out, stderr=err, start_new_session=True)
        over = threading.Event()
        sampler = threading.Thread(target=watch, args=(process.pid, over, memory))
        sampler.start()
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            over.set()
            sampler.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begun
        said = "".join(stream.read() for stream in (out, err) if not stream.seek(0))
    if seconds > LONGEST:
        raise tool.trouble(f"`{tool.name}` had not ended after {LONGEST} s")
    if process.returncode not in tool.good:
        raise tool.trouble(f"`{tool.name}` ended with {process.returncode}: {problem(said)}")
    completed = tool.completed(said)
    if not completed:
        raise tool.trouble(f"`{tool.name}` had no answer")
    return Spent(used.ru_utime + used.ru_stime, max(peak for _, peak in memory), completed, seconds,
                 [resident for resident, _ in memory[1:]], said, used.ru_stime, tool.engine(said))


def problem(said):
    """The line that says what went wrong."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines[-1:] or ["it said nothing"])[0].replace("|", "/")


def watch(pid, over, memory, longest=LONGEST):
    """Notes how much memory it has until it is over, and ends what takes too long."""
    until = time.monotonic() + longest
    while not over.wait(0.1):
        if time.monotonic() > until:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            return
        with contextlib.suppress(OSError, KeyError):  # it has just ended
            all_of_it = [resident(one) for one in family(pid)]
            memory.append(tuple(map(sum, zip(*all_of_it))))


def family(pid):
    """A process and all below it: a generator may be the second of a pipeline."""
    yield pid
    for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from family(int(child))


def resident(pid):
    """Resident set and its largest so far, in KiB."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    facts = dict(line.split(":", 1) for line in lines)
    return tuple(int(facts[name].split()[0]) for name in ("VmRSS", "VmHWM"))
