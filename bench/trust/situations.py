"""The situations that each finding is about, and the nearest ones that it is not about: apps, servers and loads."""

import os
import typing

CORES = os.cpu_count()


class Stage(typing.NamedTuple):
    """In words: what an app does for each request (Python), its server, its load and its front end, as plans have them."""

    words: str
    does: str = "pass"
    server: str = 'entry = "gunicorn", workers = 1'
    load: str = "connections = 16"
    front: str = ""
    prepared: str = ""
    service: str = ""
    """An entry of the catalogue that the app reaches by the URL in DATABASE."""
    app: str = ""
    """An app of the repository in place of one that is made."""
    plan: str = ""
    """Lines of the plan before its load."""
    seconds: int = 4


SPIN = "sum(range(60_000))"
SLEEP = "time.sleep(0.05)"
PER_CORE = 'entry = "gunicorn", workers = "cores"'
SYNC = 'entry = "gunicorn", workers = 2'
KEEPING = f'{PER_CORE}, worker-class = "gthread"'
THREADS = 'entry = "gunicorn", workers = 1, worker-class = "gthread", threads = 32'
LOCKED = "lock = threading.Lock()"
SHED = "connections = 40\nkeep-alive = false"
PROFILED = "connections = 16\nprofile = 100"
THINKING = 'connections = 16\nthink = 0.05\nthink-spread = "exponential"'
SELDOM = "%stime.sleep(0.5 if next(count) %% 200 == 0 else 0)"
COUNTED = f"{LOCKED}\ncount = itertools.count(1)"
FLASK = """import flask
flask_app = flask.Flask(__name__)
@flask_app.get("/")
def hello():
    for _ in range(100):
        flask.url_for("hello", page=1)
    return "hello"
"""
PROGRAM = "program"
"""A server of its own: `does` is what follows each request, with its connection."""
BRIEF = "sum(range(5_000)); connection.sendall(HEAD + BODY)"
FORKED = f"any(os.fork() == 0 for _ in range({CORES - 1}))"
"""One process becomes as many as there are cores, which accept from one socket."""
TWO_WRITES = "connection.sendall(HEAD); connection.sendall(BODY)"
ONE_WRITE = "time.sleep(0.04); connection.sendall(HEAD + BODY)"
FIRST = "try:\n    os.close(os.open(f'{__file__}.{os.getppid()}', os.O_CREAT | os.O_EXCL)); first = True\nexcept OSError:\n    first = False"
KEPT = "kept = []"
DISK = "file = open(f'{__file__}.{os.getpid()}', 'wb', buffering=0)"
WRITE = "file.seek(0); file.write(bytes(1_000_000))"
STATIC = "static"
RACK = "rack"
"""What it does is said in Ruby: that it answers."""
PHP = "php"
"""The same in PHP."""
FPM = 'entry = "php-fpm", link = "fastcgi+tcp", pm = "static", max-children = 2'
PUMA = 'entry = "puma", workers = 2, max-threads = 5'
CROWD = "connections = 100"
MANY = 'entry = "gunicorn", workers = 4'
TWO_SERVERS = 'entry = "gunicorn", workers = 1, instances = 2'
LONG = "sum(range(1_000_000))"
DROPS = [(0x30, 0, 0, 13), (0x45, 0, 3, 2), (0x20, 0, 0, 0xFFFF_F038), (0x25, 0, 1, 0xDFFF_FFFF), (6, 0, 0, 0), (6, 0, 0, 0xFFFF_FFFF)]
"""A filter in BPF: of the segments whose byte 13 has the bit SYN a random eighth is dropped."""
DROPPING = f"""import ctypes, itertools, struct
    code, count = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in {DROPS})), itertools.count(1)
    drop = lambda: listener.setsockopt(socket.SOL_SOCKET, 26, struct.pack('HP', {len(DROPS)}, ctypes.addressof(code)))"""
"""SO_ATTACH_FILTER, socket(7), from the hundredth request on: after the check of the response, which is one request at a time."""
AT_ONCE = "connection.sendall(HEAD + BODY)"
OWN = 'network = "own"'
FEW_PORTS = "open('/proc/sys/net/ipv4/ip_local_port_range', 'w').write('40000 40063')"
OPENED = f"""{FEW_PORTS}
import socket
{LOCKED}
target, count, kept = socket.create_server(("127.0.0.1", 0)), itertools.count(-200), []
def opened():
    kept.append(socket.create_connection(target.getsockname()))
    return target.accept()[0]
"""
"""Opens a connection to the app's own listener, with 64 local ports; within `lock`, as each end is to be of the same one."""
UNLESS_NONE = """try:
        with lock: max(next(count), 0) %% 10 and %s
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
        start("503 Service Unavailable", [("Content-Length", "0")])
        return []"""
"""Does this for nine of ten requests, after the check of the response, and answers those for which no port is free."""
BURN_20_MS = """until = time.process_time() + 0.02
    while time.process_time() < until: pass"""
"""So that a rate is the same share of a core on any machine."""
ASKED = """import psycopg
line = []
def asked(rows):
    line or line.append(psycopg.connect(os.environ["DATABASE"], autocommit=True))
    line[0].execute("SELECT sum(n) FROM generate_series(1, %s) AS n", [rows]).fetchone()
"""

ROWS = [
    ("every-core-busy", Stage("an app that computes, a worker for each core", SPIN, PER_CORE),
     Stage("the same with one worker", SPIN)),
    ("one-core", Stage("an app that computes, one worker", SPIN), Stage("the same with a worker for each core", SPIN, PER_CORE)),
    ("one-core", Stage("a Python server with a thread for each connection, which run one at a time and queue for a core", BRIEF, PROGRAM),
     Stage("the same with a process for each core", BRIEF, PROGRAM, prepared=FORKED)),
    ("slots-full", Stage("an app that sleeps for 50 ms, two workers, 16 connections", SLEEP, SYNC),
     Stage("the same with 32 threads", SLEEP, THREADS)),
    ("front-queues", Stage("HAProxy that hands an app with 32 threads, which sleep for 10 ms, one request at a time", "time.sleep(0.01)",
                           THREADS, front='entry = "haproxy", server-maxconn = 1'),
     Stage("the same without a limit", "time.sleep(0.01)", THREADS, front='entry = "haproxy"')),
    ("few-clients", Stage("an app that sleeps for 50 ms, 32 threads, 4 connections", SLEEP, THREADS, "connections = 4"),
     Stage("the same with two workers, 16 connections", SLEEP, SYNC)),
    ("app-waits", Stage("32 threads that sleep for 10 ms with one lock", "with lock: time.sleep(0.01)", THREADS, prepared=LOCKED),
     Stage("32 threads that sleep for 10 ms without", "time.sleep(0.01)", THREADS, prepared=LOCKED)),
    ("lock-contention", Stage("32 threads that sleep for 10 ms with one lock, profiled", "with lock: time.sleep(0.01)", THREADS, PROFILED,
                              prepared=LOCKED),
     Stage("32 threads that sleep for 10 ms without, profiled", "time.sleep(0.01)", THREADS, PROFILED, prepared=LOCKED)),
    ("delayed-acknowledgements", Stage("a server that writes head and body apart", TWO_WRITES, PROGRAM, "connections = 4"),
     Stage("a server that sleeps for 40 ms and writes both at once", ONE_WRITE, PROGRAM, "connections = 4")),
    ("storage-wait", Stage("an app that writes 1 MB and waits until it is on the disk", f"{WRITE}; os.fsync(file.fileno())", SYNC,
                           prepared=DISK),
     Stage("an app that writes it and does not wait", WRITE, SYNC, prepared=DISK)),
    ("queue-overflow", Stage("40 clients without kept connections, an accept queue of 1", "time.sleep(0.005)", f"{SYNC}, backlog = 1",
                             SHED),
     Stage("the same with one of 2,048", "time.sleep(0.005)", SYNC, SHED)),
    ("syn-retries", Stage("a server whose listener drops one of eight requests to connect", f"{AT_ONCE}; next(count) == 100 and drop()", PROGRAM,
                          SHED, prepared=DROPPING),
     Stage("a server that waits for a second before one of eight responses", f"time.sleep(os.urandom(1)[0] < 32); {AT_ONCE}", PROGRAM, SHED)),
    ("local-ports", Stage("an app that opens a connection for nine of ten requests and keeps it, with 64 local ports",
                          UNLESS_NONE % "kept.append(opened())", THREADS, prepared=OPENED, plan=OWN),
     Stage("an app that closes it", UNLESS_NONE % "(opened().close(), kept.pop().close())", THREADS, prepared=OPENED, plan=OWN)),
    ("generator-ports", Stage("100 kept connections with 64 local ports", SLEEP, THREADS, CROWD, prepared=FEW_PORTS, plan=OWN),
     Stage("100 kept connections with the usual ones", SLEEP, THREADS, CROWD, plan=OWN)),
    ("pauses", Stage("one request in 100 keeps all others out for 0.5 s", "with lock: time.sleep(0.5 if next(count) % 100 == 0 else 0)",
                     THREADS, prepared=f"{LOCKED}\ncount = itertools.count(1)"),
     Stage("one request in 100 takes 0.5 s", "time.sleep(0.5 if next(count) % 100 == 0 else 0)", THREADS,
           prepared=f"{LOCKED}\ncount = itertools.count(1)")),
    ("uneven-workers", Stage("one of two workers computes, the other sleeps as long", f"{SPIN} if first else time.sleep(0.001)", SYNC,
                             prepared=FIRST),
     Stage("both do one or the other by turns", f"{SPIN} if next(count) % 2 else time.sleep(0.001)", SYNC,
           prepared="count = itertools.count(os.getpid())")),
    ("connection-turns", Stage("Puma with 10 threads, 100 kept connections, ten requests of each in turn", RACK, PUMA, CROWD),
     Stage("the same, one request of each in turn", RACK, f"{PUMA}, max-fast-inline = 1", CROWD)),
    ("connection-churn", Stage("clients that open a connection for each request", SPIN, PER_CORE, SHED),
     Stage("clients that keep theirs", SPIN, KEEPING)),
    ("connection-churn", Stage("nginx that opens a connection to the app server for each request", SPIN, KEEPING,
                               front='entry = "nginx", upstream-keepalive = 0'),
     Stage("nginx that keeps them", SPIN, KEEPING, front='entry = "nginx", upstream-keepalive = 32')),
    ("spawn-churn", Stage("an app that runs a command for each request", "subprocess.run(['true'])", SYNC),
     Stage("an app that computes as long", "sum(range(30_000))", SYNC)),
    ("framework-heavy", Stage("Flask, and a view that asks it for a hundred URLs", "return flask_app(environ, start)", SYNC, PROFILED, prepared=FLASK),
     Stage("the same, and an app that computes before that", f"{SPIN}; {SPIN}; return flask_app(environ, start)", SYNC, PROFILED, prepared=FLASK)),
    ("memory-grows", Stage("an app that keeps 20 kB of each request", "kept.append(b'x' * 20_000); time.sleep(0.01)", THREADS,
                           prepared=KEPT),
     Stage("an app that takes and frees them", "b'x' * 20_000; time.sleep(0.01)", THREADS)),
    ("service-busy", Stage("a database that adds 50,000 numbers for each request", "asked(50_000)", PER_CORE, prepared=ASKED,
                           service="postgresql"),
     Stage("one that adds ten, and an app that computes", f"asked(10); {SPIN}", PER_CORE, prepared=ASKED, service="postgresql")),
    ("store-wait", Stage("a database that takes 20 ms for each request, profiled", "asked(1); line[0].execute('SELECT pg_sleep(0.02)')",
                         MANY, PROFILED, prepared=ASKED, service="postgresql"),
     Stage("one that takes no time, and an app that sleeps for 20 ms, profiled", "asked(1); time.sleep(0.02)", MANY, PROFILED, prepared=ASKED,
           service="postgresql")),
    ("limits-out-of-order", Stage("HAProxy that hands two servers with one worker any number of requests", SLEEP, TWO_SERVERS,
                                  front='entry = "haproxy"'),
     Stage("HAProxy that hands them one at a time", SLEEP, TWO_SERVERS, front='entry = "haproxy", server-maxconn = 1')),
    ("accept-queue", Stage("an app that computes for 20 ms, one worker, 25 requests/s and for a tenth of the time 120", BURN_20_MS,
                           load="spike = [25, 120]\nconnections = 64\nkeep-alive = false", seconds=8),
     Stage("the same, 10 requests/s", BURN_20_MS, load="rate = 10\nconnections = 64\nkeep-alive = false", seconds=8)),
    ("workload-ceiling", Stage("an app that computes for 20 ms, a worker for each core", LONG, PER_CORE),
     Stage("an app that computes for 1 ms, a worker for each core", SPIN, PER_CORE)),
    ("front-heavier", Stage("nginx before a few lines of Lua", server='entry = "nginx-lua"', front='entry = "nginx"', app="apps/health/lua"),
     Stage("nginx before an app that computes", SPIN, PER_CORE, front='entry = "nginx"')),
    ("generator-busy", Stage("a file from nginx", front='entry = "nginx"', server=STATIC), Stage("an app that computes", SPIN, PER_CORE)),
    ("idle-connections", Stage("16 users who keep their connections and think for 100 ms, two workers of PHP with one connection each", PHP,
                               FPM, "connections = 16\nthink = 0.1", seconds=16),
     Stage("the same, a connection for each request", PHP, FPM, "connections = 16\nthink = 0.1\nkeep-alive = false", seconds=16)),
    ("slots-full", Stage("60 requests/s for an app that sleeps for 50 ms, two workers", SLEEP, SYNC, "rate = 60\nconnections = 16"),
     Stage("the same with 32 threads", SLEEP, THREADS, "rate = 60\nconnections = 16")),
    ("slots-full", Stage("16 users who think for 50 ms, an app that sleeps for as long, two workers", SLEEP, SYNC, THINKING),
     Stage("the same with 32 threads", SLEEP, THREADS, THINKING)),
    ("app-waits", Stage("85 requests/s for 32 threads that sleep for 10 ms with one lock", "with lock: time.sleep(0.01)", THREADS,
                        "rate = 85\nconnections = 64", prepared=LOCKED),
     Stage("the same without", "time.sleep(0.01)", THREADS, "rate = 85\nconnections = 64", prepared=LOCKED)),
    ("front-queues", Stage("90 requests/s for HAProxy that hands an app with 32 threads, which sleep for 10 ms, one at a time", "time.sleep(0.01)",
                           THREADS, "rate = 90\nconnections = 64", 'entry = "haproxy", server-maxconn = 1'),
     Stage("the same without a limit", "time.sleep(0.01)", THREADS, "rate = 90\nconnections = 64", 'entry = "haproxy"')),
    ("few-clients", Stage("160 requests/s over 2 connections for 32 threads that sleep for 10 ms", "time.sleep(0.01)", THREADS,
                          "rate = 160\nconnections = 2"),
     Stage("the same over 64", "time.sleep(0.01)", THREADS, "rate = 160\nconnections = 64")),
    ("pauses", Stage("100 requests/s, one in 200 keeps all others out for 0.5 s", SELDOM % "with lock: ", THREADS, "rate = 100\nconnections = 64",
                     prepared=COUNTED),
     Stage("the same, one in 200 takes 0.5 s", SELDOM % "", THREADS, "rate = 100\nconnections = 64", prepared=COUNTED)),
]
"""The finding's name in JSON, a situation, and its look-alike."""
OTHERS = ("other-programs", "programs that take every core", "a program that the app started does")
MEMORY = ("memory-short", "an app that reads 300 MB in a control group of 200 MB", "in one of 4 GB")
BESIDE = {"connection-turns", "connection-churn", "spawn-churn", "framework-heavy", "memory-grows", "service-busy", "front-heavier",
          "limits-out-of-order", "accept-queue", "store-wait", "workload-ceiling"}
"""Findings that are told beside their cause, and need not come first: what holds the stage back may be worth more."""
