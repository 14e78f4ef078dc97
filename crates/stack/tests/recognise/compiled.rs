//! Programs in Go and in Rust.

use record::{Protocol, Transport};

use super::{Folder, says};

fn go(source: &str) -> Folder {
    let main = format!("package main\n\nfunc main() {{\n{source}\n}}\n");
    Folder::of(&[
        ("go.mod", "module example.org/shop\n\ngo 1.19\n"),
        ("main.go", &main),
    ])
}

#[test]
fn a_go_program_is_told_its_address_as_its_source_says() {
    for (source, command, clue) in [
        ("port := os.Getenv(\"PORT\")", "'", "from PORT (`main.go`)"),
        (
            "addr := os.Getenv(\"LISTEN_ADDR\")",
            "LISTEN_ADDR=$HOST:$PORT '",
            "from LISTEN_ADDR",
        ),
        (
            "port := os.Getenv(\"HTTP_PORT\")",
            "HTTP_PORT=$PORT '",
            "from HTTP_PORT",
        ),
        (
            "a := flag.String(\"addr\", \":8080\", \"\")",
            " --addr=$HOST:$PORT",
            "flag `-addr`",
        ),
        (
            "flag.StringVar(&a, \"listen\", \":5678\", \"\")",
            " --listen=$HOST:$PORT",
            "flag `-listen`",
        ),
        (
            "p := flag.Int(\"port\", 8080, \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "p := flag.String(\"port\", \"8080\", \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "flags.IntVarP(&p, \"port\", \"p\", 80, \"\")",
            " --port=$PORT",
            "flag `-port`",
        ),
        (
            "p := flag.String(\"p\", \"8080\", \"\")",
            " -p=$PORT",
            "flag `-p`",
        ),
        ("gin.Default().Run()", "'", "weir sets PORT and HOST"),
    ] {
        let found = go(source).recognised();
        assert!(
            found.app.entry.contains(command),
            "{source}: {}",
            found.app.entry
        );
        says(&found, clue);
        assert_eq!(found.app.setup[0][..3], ["go", "build", "-o"]);
        assert_eq!(found.app.listens[&Protocol::Http1], [Transport::Tcp]);
    }
}

#[test]
fn a_go_program_is_told_host_and_port_apart_where_it_has_flags_for_them() {
    for (source, command, clue) in [
        (
            "flag.String(\"host\", \"localhost\", \"\")\nflag.Int(\"port\", 80, \"\")",
            " --host=$HOST --port=$PORT",
            "flags `-host` and `-port`",
        ),
        (
            "flag.String(\"addr\", \"0.0.0.0\", \"\")\nflag.StringVar(&p, \"port\", \"80\", \"\")",
            " --addr=$HOST --port=$PORT",
            "flags `-addr` and `-port`",
        ),
        (
            "flag.String(\"addr\", \":80\", \"\")\nflag.Int(\"port\", 80, \"\")",
            " --addr=$HOST:$PORT",
            "flag `-addr`",
        ),
        (
            "A string `env:\"SERVER_ADDR,required\"`",
            "SERVER_ADDR=$HOST:$PORT '",
            "from SERVER_ADDR",
        ),
        (
            "P int `envconfig:\"HTTP_PORT\"`",
            "HTTP_PORT=$PORT '",
            "from HTTP_PORT",
        ),
    ] {
        let found = go(source).recognised();
        let entry = &found.app.entry;
        assert!(entry.contains(command), "{source}: {entry}");
        says(&found, clue);
    }
}

#[test]
fn an_address_in_go_is_the_programs_own_where_it_serves_there() {
    let grpc = go("net.Listen(\"tcp\", \":50051\")").recognised();
    says(&grpc, "`:50051` stands in `main.go`");
    let client = "http.ListenAndServe(where, nil)\nhttp.ListenAndServe(\"localhost:6060\", nil)\n\
                  redis.NewClient(&redis.Options{\n\tAddr: \"localhost:6379\"})\nnet.Listen(\"tcp\", \":0\")";
    let found = go(client).recognised();
    assert!(!found.because.join("\n").contains("stands in"));
    let server = format!("{client}\n&http.Server{{Addr: \":8080\"}}");
    let error = go(&server).looked_at().unwrap_err().to_string();
    assert!(error.contains("it listens at `:8080`"), "{error}");
    let main = |port: &str| {
        format!("package main\nfunc main() {{ http.ListenAndServe(\"{port}\", nil) }}\n")
    };
    let error = Folder::of(&[
        ("go.mod", "module example.org/shop\n"),
        ("cmd/admin/main.go", &main(":9090")),
        ("cmd/shop/main.go", &main(":8080")),
        ("other/serve.go", &main(":7070")),
    ])
    .looked_at();
    let words = "it listens at `:8080`, which stands in `cmd/shop/main.go`";
    let error = error.unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn a_go_program_whose_address_cannot_be_chosen_is_not_started() {
    let error = go("http.ListenAndServe(\":8080\", nil)")
        .looked_at()
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it listens at `:8080`, which stands in `main.go`"),
        "{error}"
    );
    assert!(error.hint().unwrap().contains("--command"));
}

#[test]
fn of_several_go_programs_the_one_of_the_modules_name_is_taken() {
    let main = "package main\nfunc main() { os.Getenv(\"PORT\") }\n";
    let found = Folder::of(&[
        ("go.mod", "module example.org/shop/v2\n"),
        ("cmd/admin/main.go", main),
        ("cmd/shop/main.go", main),
    ])
    .recognised();
    says(&found, "`./cmd/shop` is its program, not `./cmd/admin`");
}

/// A package of this name with this source, locked as cargo does it.
fn rust<'a>(dependencies: &'a str, main: &'a str) -> [(&'a str, &'a str); 3] {
    [
        ("Cargo.toml", dependencies),
        ("Cargo.lock", "version = 4\n"),
        ("src/main.rs", main),
    ]
}

const PACKAGE: &str = "[package]\nname = \"shop\"\n[dependencies]\naxum = \"0.8\"\n";

#[test]
fn a_rust_program_is_told_its_address_as_its_source_says() {
    for (source, command, clue) in [
        ("std::env::var(\"PORT\")", "'", "from PORT (`src/main.rs`)"),
        (
            "env::var(\"LISTEN_ADDR\")",
            "LISTEN_ADDR=$HOST:$PORT '",
            "from LISTEN_ADDR",
        ),
        (
            "#[arg(long, env = \"HTTP_PORT\", default_value_t = 80)]\nport: u16",
            "HTTP_PORT=$PORT '",
            "from HTTP_PORT",
        ),
        (
            "#[arg(short, long, default_value_t = 80)]\n    pub port: u16",
            " --port=$PORT",
            "flag `--port`",
        ),
        (
            "#[clap(long)]\nlisten_addr: SocketAddr",
            " --listen-addr=$HOST:$PORT",
            "flag `--listen-addr`",
        ),
        (
            "Arg::new(\"p\").long(\"port\")",
            " --port=$PORT",
            "flag `--port`",
        ),
        ("fn main() {}", "'", "weir sets PORT and HOST"),
    ] {
        let found = Folder::of(&rust(PACKAGE, source)).recognised();
        assert!(
            found.app.entry.contains(command) && found.app.entry.contains("release/shop'"),
            "{source}: {}",
            found.app.entry
        );
        says(&found, clue);
        assert_eq!(found.app.setup[0][..3], ["cargo", "build", "--release"]);
        assert_eq!(found.framework.unwrap().0, "axum");
    }
    let rocket = PACKAGE.replace("axum", "rocket");
    let found = Folder::of(&rust(&rocket, "rocket::build()")).recognised();
    assert!(
        found
            .app
            .entry
            .starts_with("ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT '")
    );
}

#[test]
fn a_rust_program_whose_address_cannot_be_chosen_is_not_started() {
    for (source, address) in [
        ("TcpListener::bind(\"0.0.0.0:3000\")", "`0.0.0.0:3000`"),
        (
            "SocketAddr::from(([127, 0, 0, 1], 3000))",
            "`[127, 0, 0, 1], 3000`",
        ),
        (".bind((\"127.0.0.1\", 8080))", "8080`"),
    ] {
        let error = Folder::of(&rust(PACKAGE, source)).looked_at().unwrap_err();
        assert!(error.to_string().contains(address), "{error}");
    }
    let unlocked = [("Cargo.toml", PACKAGE), ("src/main.rs", "")];
    let error = Folder::of(&unlocked).looked_at().unwrap_err();
    assert!(error.hint().unwrap().contains("cargo generate-lockfile"));
}

#[test]
fn of_a_rust_workspace_the_package_that_serves_is_taken() {
    let found = Folder::of(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("Cargo.lock", "version = 4\n"),
        ("crates/cli/Cargo.toml", "[package]\nname = \"cli\"\n"),
        ("crates/cli/src/main.rs", ""),
        ("crates/web/Cargo.toml", PACKAGE),
        ("crates/web/src/main.rs", "env::var(\"PORT\")"),
    ])
    .recognised();
    says(&found, "names the package `shop`");
    let library = [
        ("Cargo.toml", "[package]\nname = \"shelves\"\n"),
        ("src/lib.rs", ""),
    ];
    let error = Folder::of(&library).looked_at().unwrap_err().to_string();
    assert!(
        error.contains("`Cargo.toml` is there, and no package with a `main.rs`"),
        "{error}"
    );
}
