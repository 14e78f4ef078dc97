//! What options of other tools, or of another command, are called here.

/// Options, and what to type in place of each.
pub(super) type Options = &'static [(&'static [&'static str], &'static str)];

/// Those that are typed to a command.
pub(super) const COMMANDS: [(&str, Options); 4] = [
    ("bench", BENCH),
    ("endpoints", ENDPOINTS),
    ("profile", PROFILE),
    ("try", TRY),
];

const ENDPOINTS: Options = &[
    (
        &["-m", "--matching-groups"],
        "paths that are one route are named by `--route '/items/{id}'`, once for each; without it segments that look like \
         values are found",
    ),
    (
        &["--file"],
        "the log stands alone: `weir endpoints access.log`",
    ),
    (
        &["-r", "--reverse"],
        "the largest come first; `--sort p99` says of which column",
    ),
    (
        &["-o", "--output", "--percentiles"],
        "all columns are shown, p50, p90, p95 and p99 among them; `--json` prints them for a program",
    ),
    (&["--limit"], "`-n 30` says how many are shown"),
    (
        &["-f", "--filters"],
        "what is to be left out is left out before: `grep ' 200 ' access.log | weir endpoints -`",
    ),
];

const PROFILE: Options = &[
    (&["-r"], "samples per second are `--rate 100`"),
    (
        &["-o", "--output", "-f", "--format"],
        "`--out DIR` writes all formats: folded stacks, a flame graph, and files for speedscope and pprof",
    ),
    (
        &["-s", "--subprocesses"],
        "leave it out: what the process has started is sampled, too",
    ),
    (
        &["--native"],
        "leave it out: functions of C are sampled, too",
    ),
    (
        &["-i", "--idle", "-g", "--gil", "-t", "--threads"],
        "leave it out: each thread is sampled, and what waits is told apart from what runs",
    ),
];

const TRY: Options = &[
    (
        &["-C", "--concurrency", "--clients"],
        "connections are `-c 100`",
    ),
    (
        &["-w", "--workers", "--processes", "--threads"],
        "what a server runs with is a knob of it: `--vary workers=4`, or `--vary workers=2,4,8` to try several side by side; \
         connections are `-c 100`",
    ),
    (
        &[
            "--server",
            "--servers",
            "--app-server",
            "--front",
            "--front-end",
            "--only",
        ],
        "candidates are chosen by name, as in `--variants NAME,NAME`; a name that there is not lists those of your app",
    ),
    (
        &["-p", "--port", "--bind"],
        "leave it out: each server is started at a port that the kernel chooses",
    ),
    (
        &["-d", "--duration"],
        "a trial is as long as its requests take, such as `-n 10000`; the time of the whole run is `--budget 5m`",
    ),
];

const BENCH: Options = &[
    (&["-z"], "the duration is `-d 30s`"),
    (&["-m", "--request"], "the method is `-X POST`"),
    (
        &["-D", "-B", "--data-file"],
        "a body from a file is `--body-file FILE`",
    ),
    (
        &["--data", "--data-raw", "--data-binary", "--data-ascii"],
        "a body is `--body TEXT`, or `--body-file FILE`; it is sent by POST unless `-X` says otherwise",
    ),
    (
        &["-T", "--content-type"],
        "the type of a body is `-H 'Content-Type: application/json'`; a timeout is `--timeout 2s`",
    ),
    (
        &["-a", "-u", "--user", "--basic-auth"],
        "name and password stand before the URL's host, with a colon between them and an `@` behind; or give `-H \
         'Authorization: …'`; a form is sent by `--login`",
    ),
    (
        &["-b", "--cookie"],
        "a cookie is `-H 'Cookie: NAME=VALUE'`; `--login` logs in, and sends those of its session",
    ),
    (
        &["-A", "--user-agent"],
        "it is a header: `-H 'User-Agent: NAME'`",
    ),
    (&["-e", "--referer"], "it is a header: `-H 'Referer: URL'`"),
    (&["-I", "--head"], "the method is `-X HEAD`"),
    (
        &["-L", "--location", "--redirect", "--disable-redirects"],
        "redirects are not followed: give the URL that they lead to. Quantiles, which `-L` of wrk prints, are always printed",
    ),
    (
        &["-U", "--u_latency"],
        "leave it out: response times run from when a request was due, and service times are printed beside them",
    ),
    (
        &["-x", "--proxy"],
        "no proxy is asked: give the URL of the server itself",
    ),
    (
        &[
            "--disable-keepalive",
            "--disable-keep-alive",
            "--no-keepalive",
        ],
        "a connection for each request is `--no-keep-alive`",
    ),
    (
        &["--compressed", "--disable-compression"],
        "nothing is asked for compressed, unless by `-H 'Accept-Encoding: gzip'`",
    ),
    (
        &["-o", "--output"],
        "results are printed by `--format csv` (or json, ndjson, markdown), and written by `--out DIR`",
    ),
    (
        &["--qps", "--rps", "--query-per-second"],
        "requests per second are `-R 100`",
    ),
    (
        &["--concurrency", "--workers", "--clients"],
        "connections are `-c 100`",
    ),
    (
        &["--max-time"],
        "the time limit of a request is `--timeout 2s`",
    ),
    (
        &["--http1.1", "--http-version"],
        "HTTP/1.1 is the default; others are `--http2` and `--http1.0`",
    ),
    (&["--no-tui"], "`-q` shows no progress"),
    (&["--url"], "the URL stands alone: `weir bench URL`"),
];
