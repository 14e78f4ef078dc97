"""The files that weir writes for what it says to deploy, started as they are, and asked for the page of the trial."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time

PATIENCE = 60
"""Longest wait for the script to serve, in seconds."""


def started(weir, run, folder, env, place):
    """Writes the variant to deploy, starts it, and asks once: none where it answers as it should, or what went wrong."""
    variant = to_deploy(run)
    if not variant:
        return "no variant of it served the app"
    port = free_port()
    wrote = subprocess.run([weir, "write", f"last:{variant}", str(place), "--port", str(port)], cwd=folder, env=env,
                           capture_output=True, text=True)
    if wrote.returncode:
        return f"`weir write last:{variant}` ended with {wrote.returncode}: {wrote.stderr.strip()}"
    log = place / "started.log"
    with log.open("w") as said, subprocess.Popen(["sh", str(place / "start.sh")], cwd="/", env=env, stdout=said,
                                                 stderr=said, stdin=subprocess.DEVNULL, start_new_session=True) as server:
        try:
            return answers(server, port, run["run"]["plan"]["app"]["routes"][0], log)
        finally:
            end(server)


def to_deploy(run):
    """What the run says to deploy; a run without a decision names nothing, and the first that is for use stands in."""
    judged = run["judged"]
    rivals = for_use(judged.get("lead", {}))
    return (judged.get("decision") or {}).get("variant") or (rivals[0] if rivals else None)


def for_use(lead):
    """The rivals, the best first, without those made for development as long as there is another one."""
    rivals, development = lead.get("rivals") or [], lead.get("development") or []
    return [name for name in rivals if name not in development] or rivals


def answers(server, port, route, log):
    """Waits until the page comes with its status; says what came instead."""
    wanted, last, until = route.get("status", 200), "it never listened", time.monotonic() + PATIENCE
    while time.monotonic() < until:
        status = asked(port, route)
        if status == wanted:
            return None
        last = f"status {status}, not {wanted}" if status else last
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = server.wait(0.1)
            text = log.read_text(errors="replace").strip().splitlines()
            return f"`start.sh` ended with {code}: {text[-1] if text else 'it said nothing'}"
    return f"`start.sh` did not serve `{route['path']}` in {PATIENCE} s: {last}"


def asked(port, route):
    """The status of one answer; none where there is no answer."""
    headers = {"Host": "localhost"} | {name: value for name, value in route.get("headers") or []}
    try:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as line:
            line.request(route.get("method", "GET"), route["path"], headers=headers)
            return line.getresponse().status
    except (OSError, http.client.HTTPException):
        return None


def free_port():
    """A port that nobody has, nor the next one, which the server behind a front end takes."""
    while True:
        with contextlib.closing(socket.socket()) as one, contextlib.closing(socket.socket()) as two:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
            with contextlib.suppress(OSError, OverflowError):
                two.bind(("127.0.0.1", port + 1))
                return port


def end(server):
    """Ends the script, which ends its programs: at once after a second signal."""
    for patience, sign in [(20, signal.SIGTERM), (20, signal.SIGTERM), (5, signal.SIGKILL)]:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(patience)
            return
