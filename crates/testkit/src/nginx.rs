use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::{eventually, temp_dir};

const PROGRAM: &str = "/usr/sbin/nginx";

/// A real nginx in one process, with a configuration of its own in a temporary folder.
pub struct Nginx {
    child: Child,
    address: SocketAddr,
    dir: TempDir,
}

impl Nginx {
    /// Starts nginx with `server` (what stands inside `server { }`, without `listen`) on a TCP
    /// port of the kernel's choice and on the Unix socket [`Nginx::path`].
    ///
    /// # Panics
    /// When nginx is missing or does not start, with what to do.
    #[must_use]
    pub fn start(server: &str) -> Self {
        Self::listening("", "", server)
    }

    /// The same with `http`, which stands before the server in `http { }`.
    ///
    /// # Panics
    /// As [`Nginx::start`].
    #[must_use]
    pub fn start_with(http: &str, server: &str) -> Self {
        Self::listening("", http, server)
    }

    /// The same, speaking HTTP/2 with prior knowledge.
    ///
    /// # Panics
    /// As [`Nginx::start`].
    #[must_use]
    pub fn start_http2(server: &str) -> Self {
        Self::listening("http2", "", server)
    }

    /// The same over TLS; `server` says with which certificate
    /// ([`Certified::directives`](crate::Certified::directives)).
    ///
    /// # Panics
    /// As [`Nginx::start`].
    #[must_use]
    pub fn start_tls(server: &str) -> Self {
        Self::listening("ssl", "", server)
    }

    /// The same, speaking HTTP/2 over TLS to those who ask for it by its name (ALPN), and HTTP/1 to
    /// the others.
    ///
    /// # Panics
    /// As [`Nginx::start`].
    #[must_use]
    pub fn start_tls_http2(server: &str) -> Self {
        Self::listening("ssl http2", "", server)
    }

    fn listening(how: &str, http: &str, server: &str) -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "`{PROGRAM}` is missing; hint: apt-get install nginx-light"
        );
        // Somebody may take the port between choosing and binding: nginx says so and ends.
        (0..5)
            .find_map(|_| Self::attempt(how, http, server))
            .expect("nginx did not start; its complaint is above")
    }

    fn attempt(how: &str, http: &str, server: &str) -> Option<Self> {
        let address = TcpListener::bind("127.0.0.1:0").and_then(|taken| taken.local_addr());
        let address = address.expect("a free port");
        let dir = temp_dir();
        fs::write(
            dir.path().join("nginx.conf"),
            configuration(dir.path(), address, how, http, server),
        )
        .expect("a written configuration");
        let mut child = Command::new(PROGRAM)
            .args(["-e", "error.log", "-c", "nginx.conf", "-p"])
            .arg(dir.path())
            .stdin(Stdio::null())
            .spawn()
            .expect("nginx as a process");
        let mut ended = false;
        let ready = eventually(Duration::from_mins(1), || {
            ended = child.try_wait().is_ok_and(|status| status.is_some());
            // its own file says that the port is its own: somebody else may have taken it, and answers there
            let is_its_own = || dir.path().join("nginx.pid").exists();
            ended || (is_its_own() && TcpStream::connect(address).is_ok())
        });
        let nginx = Self {
            child,
            address,
            dir,
        };
        if ready && !ended {
            return Some(nginx);
        }
        let log = fs::read_to_string(nginx.dir.path().join("error.log")).unwrap_or_default();
        eprintln!("nginx did not start on {address}:\n{log}");
        None
    }

    /// Its TCP address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its folder, to which relative paths in its configuration refer.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// The path of its Unix socket.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.dir.path().join("nginx.sock")
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // One process without children: killing it leaves nothing behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn configuration(dir: &Path, address: SocketAddr, how: &str, http: &str, server: &str) -> String {
    let dir = dir.display();
    format!(
        "daemon off; master_process off; pid {dir}/nginx.pid; error_log {dir}/error.log;\n\
         events {{ worker_connections 4096; }}\n\
         http {{ access_log off; client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy;\n\
         fastcgi_temp_path {dir}/fastcgi; uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi;\n\
         {http}\n\
         server {{ listen {address} {how} backlog=4096;\n\
         listen unix:{dir}/nginx.sock {how} backlog=4096;\n\
         {server}\n}} }}\n"
    )
}
