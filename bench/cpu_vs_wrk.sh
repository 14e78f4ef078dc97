#!/usr/bin/env bash
# CPU time per request of weir's load engine against wrk's: same server, same work, interleaved.
#
# nginx (`return 200 "ok\n"`, one process) is pinned to one core and the load generator to another;
# both send keep-alive requests over the same number of connections from one thread. weir checks
# the status and every byte of the body and keeps five distributions; wrk checks nothing.
# CPU time is user + system of the whole generator process, so that a noisy machine disturbs it
# little; pairs are run in the order A B B A.
#
# Settings (environment): PAIRS (7), SECONDS_EACH (4), CONNECTIONS (100), SERVER_CORE (1),
# LOAD_CORE (0), AT_MOST (the ratio above which the script fails; 1.25), and ENGINE, a command that
# takes the engine example's arguments and prints a JSON line with `"completed":N`. SCHEME=https does it
# over TLS, where neither looks at the certificate.
set -euo pipefail
cd "$(dirname "$0")/.."

pairs=${PAIRS:-7} seconds=${SECONDS_EACH:-4} connections=${CONNECTIONS:-100}
server_core=${SERVER_CORE:-1} load_core=${LOAD_CORE:-0} at_most=${AT_MOST:-1.25} scheme=${SCHEME:-http}
nginx=$(command -v nginx || echo /usr/sbin/nginx)
for need in "$nginx" wrk taskset python3; do
    command -v "$need" >/dev/null || {
        echo "error: \`$need\` is missing; hint: apt-get install nginx-light wrk util-linux python3" >&2
        exit 2
    }
done

if [ -z "${ENGINE:-}" ]; then
    cargo build --quiet --release -p load --example engine
    ENGINE="${CARGO_TARGET_DIR:-target}/release/examples/engine"
fi

dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT

secret=
if [ "$scheme" = https ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout "$dir/key" -out "$dir/cert" 2>"$dir/err" || {
        cat "$dir/err" >&2
        exit 2
    }
    secret="ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate $dir/cert; ssl_certificate_key $dir/key;"
fi

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Somebody may take the port between choosing and binding: then nginx ends, and we choose again.
start_server() {
    for _ in 1 2 3 4 5; do
        port=$(free_port)
        cat >"$dir/nginx.conf" <<CONF
daemon off; master_process off; pid $dir/nginx.pid; error_log $dir/error.log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; client_body_temp_path $dir/body;
  server { listen 127.0.0.1:$port ${secret:+ssl} backlog=4096; $secret location / { return 200 "ok\n"; } } }
CONF
        taskset -c "$server_core" "$nginx" -e "$dir/error.log" -c "$dir/nginx.conf" &
        server=$!
        while kill -0 "$server" 2>/dev/null; do
            if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return; fi
        done
    done
    cat "$dir/error.log" >&2
    echo "error: nginx did not start" >&2
    exit 2
}

# measure NAME COMMAND...: appends "NAME CPU-SECONDS COMPLETED" to the results.
measure() {
    local name=$1 cpu completed
    shift
    TIMEFORMAT='%U %S'
    { time taskset -c "$load_core" "$@" >"$dir/out" 2>"$dir/err"; } 2>"$dir/time" || {
        cat "$dir/out" "$dir/err" >&2
        exit 2
    }
    cpu=$(awk '{print $1 + $2}' "$dir/time")
    completed=$(grep -oE '"completed":[0-9]+|[0-9]+ requests in' "$dir/out" | grep -oE '[0-9]+')
    echo "$name $cpu $completed" >>"$dir/results"
}

weir() { measure weir $ENGINE "$url" -c "$connections" -d "$seconds" -t 1 -b $'ok\n'; }
wrk_() { measure wrk wrk -t1 -c"$connections" -d"${seconds}s" "$url"; }

start_server
url="$scheme://127.0.0.1:$port/"
for ((pair = 0; pair < pairs; pair++)); do
    if ((pair % 2)); then wrk_; weir; else weir; wrk_; fi
done

python3 - "$dir/results" "$at_most" "$connections" "$seconds" "$scheme" <<'PY'
import statistics, sys

path, at_most, connections, seconds = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4]
cost, rate = {"weir": [], "wrk": []}, {"weir": [], "wrk": []}
for line in open(path):
    name, cpu, completed = line.split()
    cost[name].append(float(cpu) / int(completed) * 1e6)
    rate[name].append(int(completed) / float(seconds))
ratios = sorted(a / b for a, b in zip(cost["weir"], cost["wrk"]))
print(f"{connections} keep-alive connections, 1 thread, {len(ratios)} pairs of {seconds} s, nginx `return 200`, {sys.argv[5]}")
for name in ("weir", "wrk"):
    values = cost[name]
    print(f"{name:5} {statistics.median(values):6.2f} us CPU per request (median; {min(values):.2f} to {max(values):.2f})"
          f", {statistics.median(rate[name]):8.0f} requests/s")
ratio = statistics.median(ratios)
print(f"ratio {ratio:6.3f} weir / wrk (median of pairs; {ratios[0]:.3f} to {ratios[-1]:.3f}); at most {at_most} wanted")
sys.exit(ratio > at_most)
PY
