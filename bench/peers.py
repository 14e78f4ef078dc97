"""weir against web servers that are really used, one load after the other; each answer is compared.

    python3 bench/peers.py [WORD ...]     only peers whose name has one of these words

What is not installed, or too old, is named and left out. Says which cell failed and why, and ends with 1 then.
"""

import contextlib
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent / "target"))
WEIR = os.environ.get("WEIR", str(TARGET / "release/weir"))
REQUESTS = 200
LARGE = b"0123456789abcdef" * 65_536
os.environ["PATH"] += ":/usr/sbin:/sbin:/usr/local/go/bin"

# What is asked: path, options, whether the body is compared with the file's.
COMMON = {
    "kept": ("ok.txt", [], True),
    "HEAD": ("ok.txt", ["-X", "HEAD"], False),
    "POST": ("ok.txt", ["-X", "POST", "--body", "x" * 1000], False),
    "1 MB": ("large.txt", ["-n", "40"], True),
    "gzip": ("packed.gz", ["-H", "Accept-Encoding: gzip"], True),
}
HTTP1 = COMMON | {
    "closed": ("ok.txt", ["--no-keep-alive"], True),
    "4 ahead": ("ok.txt", ["--pipeline", "4"], True),
    "HTTP/1.0": ("ok.txt", ["--http1.0"], True),
}
HTTP2 = COMMON | {
    "10 streams": ("ok.txt", ["--streams", "10"], True),
    "10 of 1 MB": ("large.txt", ["--streams", "10", "-n", "40"], True),
}

LIGHTTPD = """
server.document-root = "{docs}"
server.bind = "127.0.0.1"
server.port = {port}
server.max-keep-alive-requests = 100000
mimetype.assign = ( "" => "text/plain" )
server.feature-flags = ( "server.h2proto" => "enable", "server.h2c" => "enable" )
"""
H2O = """
hosts:
  default:
    listen: {{ host: 127.0.0.1, port: {port} }}
    listen: {{ host: 127.0.0.1, port: {tls}, ssl: {{ certificate-file: "{cert}", key-file: "{key}" }} }}
    paths: {{ "/": {{ file.dir: {docs} }} }}
{user}"""
APACHE = """
ServerRoot {home}
ServerName localhost
PidFile {home}/pid
ErrorLog {home}/error.log
{user}
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule http2_module {modules}/mod_http2.so
LoadModule ssl_module {modules}/mod_ssl.so
Mutex file:{home}
MaxKeepAliveRequests 0
Protocols h2 h2c http/1.1
Listen 127.0.0.1:{port}
Listen 127.0.0.1:{tls}
DocumentRoot {docs}
<VirtualHost 127.0.0.1:{tls}>
SSLEngine on
SSLCertificateFile {cert}
SSLCertificateKeyFile {key}
</VirtualHost>
"""
CADDY = """
{{
    admin off
    auto_https off
    skip_install_trust
    servers {{
        protocols h1 h2 h2c
    }}
}}
http://127.0.0.1:{port} {{
    bind 127.0.0.1
    root * {docs}
    file_server
}}
https://:{tls} {{
    bind 127.0.0.1
    tls {cert} {key}
    root * {docs}
    file_server
}}
"""
HAPROXY = """
global
    maxconn 1000
    tune.bufsize 2000000
defaults
    mode http
    timeout client 20s
    timeout connect 5s
    timeout server 20s
frontend plain
    bind 127.0.0.1:{port}
    bind 127.0.0.1:{tls} ssl crt {both} alpn h2
    http-request return status 200 content-type text/plain file {docs}/ok.txt if {{ path /ok.txt }}
    http-request return status 200 content-type text/plain file {docs}/large.txt if {{ path /large.txt }}
    http-request return status 200 content-type text/plain file {docs}/packed.gz if {{ path /packed.gz }}
"""

ROOT_USER = os.geteuid() == 0
# Name: its file's text and name, its command, what it speaks, the status of a POST to a file.
CONFIGURED = {
    "lighttpd": (LIGHTTPD, ["lighttpd", "-D", "-f", "{file}"], ["http", "h2c"], 200),
    "h2o": (H2O, ["h2o", "-c", "{file}"], ["http", "h2"], 405),
    "apache2": (APACHE, ["apache2", "-X", "-f", "{file}"], ["http", "h2c", "h2"], 200),
    "caddy": (CADDY, ["caddy", "run", "--adapter", "caddyfile", "--config", "{file}"], ["http", "h2c", "h2"], 200),
    "haproxy": (HAPROXY, ["haproxy", "-db", "-f", "{file}"], ["http", "h2"], 200),
}


class Missing(Exception):
    """Why there is no such peer."""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def started(command, home, **options):
    if not shutil.which(command[0]):
        raise Missing("not installed")
    with open(home / "log", "ab") as log:
        # Servers that leave the foreground stay in the group.
        process = subprocess.Popen(
            command, cwd=home, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | {"HOME": str(home)}, **options)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_for(port, process, home):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"it does not listen: {(home / 'log').read_text()[-400:]}")


@contextlib.contextmanager
def configured(name, places):
    """A server with a file; gives the URL of each way to speak to it."""
    text, command, speaks, _ = CONFIGURED[name]
    home = places["top"] / name
    home.mkdir()
    user = {"h2o": "user: root\n", "apache2": "User www-data\nGroup www-data"}.get(name, "") if ROOT_USER else ""
    here = places | {"home": home, "port": free_port(), "tls": free_port(), "user": user,
                     "modules": "/usr/lib/apache2/modules"}
    file = home / "configuration"
    file.write_text(text.format(**here))
    with started([part.format(file=file) for part in command], home, stdout=subprocess.DEVNULL) as process:
        for how in speaks:
            wait_for(here["tls" if how == "h2" else "port"], process, home)
        yield {how: url(how, here["tls" if how == "h2" else "port"]) for how in speaks}


def new_enough(said):
    """Of what `go version` says: peers/server.go is in words that Go has from 1.24 on (http.Protocols)."""
    version = re.search(r"go(\d+)\.(\d+)", said)
    if version and tuple(map(int, version.groups())) < (1, 24):
        raise Missing(f"left out: Go {version[1]}.{version[2]} is older than 1.24, which peers/server.go needs")


@contextlib.contextmanager
def programmed(name, places):
    """Node or Go with a program of ours, one process for each way to speak to it."""
    home = places["top"] / name
    home.mkdir()
    if name == "go":
        if not shutil.which("go"):
            raise Missing("not installed")
        new_enough(subprocess.run(["go", "version"], check=True, capture_output=True, text=True).stdout)
        subprocess.run(["go", "build", "-o", home / "server", HERE / "peers/server.go"], check=True)
        command = [str(home / "server")]
    else:
        command = ["node", str(HERE / "peers/server.js")]
    with contextlib.ExitStack() as stack:
        urls = {}
        for how in ["http", "h2c", "h2"]:
            line = [*command, how, str(places["docs"]), str(places["cert"]), str(places["key"])]
            process = stack.enter_context(started(line, home, stdout=subprocess.PIPE))
            urls[how] = url(how, int(process.stdout.readline()))
        yield urls


def url(how, port):
    scheme = {"http": "http", "h2c": "h2c", "h2": "https"}[how]
    return f"{scheme}://127.0.0.1:{port}/"


def load(how, base, path, options, equals, status):
    """Whether every answer was right, and a word about it."""
    command = [WEIR, "bench", base + path, "-c", "3", "--warm-up", "0s", "--timeout", "10s", "--json", *options]
    if "-n" not in options:
        command += ["-n", str(REQUESTS)]
    if how == "h2":
        command += ["--insecure", "--sni", "localhost", "--http2"]
    if equals:
        command += ["--equals", str(equals)]
    if status:
        command += ["--status", str(status)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=120)
    # A load this short leaves doubts about its numbers, which the exit status tells; not so here.
    if not outcome.stdout:
        return False, outcome.stderr.strip()
    facts = find(json.loads(outcome.stdout))
    wanted = int(options[options.index("-n") + 1]) if "-n" in options else REQUESTS
    right = facts["completed"] == wanted and not facts["failed"]
    return right, f"{facts['connects']}" if right else json.dumps(
        {key: facts[key] for key in ["completed", "connects", "failed", "examples"]})[:600]


def find(document):
    """The load's facts, wherever they stand in the document."""
    if isinstance(document, dict):
        if "completed" in document and "connects" in document:
            return document
        document = list(document.values())
    if isinstance(document, list):
        return next(filter(None, map(find, document)), None)
    return None


def check(name, how, base, places, flaws):
    cells = []
    for what, (path, options, compared) in (HTTP1 if how == "http" else HTTP2).items():
        file = places["docs"] / path
        status = CONFIGURED[name][3] if what == "POST" and name in CONFIGURED else None
        right, told = load(how, base, path, options, compared and file, status)
        cells.append(f"{what} {'OK/' + told if right else 'FAILED'}")
        if not right:
            flaws.append(f"{name} {how}, {what}: {told}")
    print(f"{name:10} {how:5} {' · '.join(cells)}", flush=True)


def main(words):
    flaws = []
    with tempfile.TemporaryDirectory() as top:
        top = pathlib.Path(top)
        top.chmod(0o755)
        docs = top / "docs"
        docs.mkdir()
        (docs / "ok.txt").write_bytes(b"ok\n")
        (docs / "large.txt").write_bytes(LARGE)
        (docs / "packed.gz").write_bytes(gzip.compress(LARGE))
        places = {"top": top, "docs": docs, "cert": top / "cert.pem", "key": top / "key.pem", "both": top / "both.pem"}
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                        "-nodes", "-keyout", places["key"], "-out", places["cert"], "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        places["both"].write_bytes(places["cert"].read_bytes() + places["key"].read_bytes())
        print("OK/N: every answer was right, over N connections")
        for name in ["node", "go", *CONFIGURED]:
            if words and not any(word in name for word in words):
                continue
            try:
                with (configured if name in CONFIGURED else programmed)(name, places) as urls:
                    for how, base in urls.items():
                        check(name, how, base, places, flaws)
            except Missing as why:
                print(f"{name:10} {why}")
            except (RuntimeError, OSError, subprocess.SubprocessError) as why:
                flaws.append(f"{name}: {why}")
                print(f"{name:10} did not start")
    for flaw in flaws:
        print(f"\n{flaw}")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
