//! An origin's account of itself.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use testkit::{Origin, Speech, Turn};

fn ask(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    assert!(stream.read(&mut [0; 512]).unwrap() > 0);
    stream
}

#[test]
fn no_conversation_is_lost_whichever_of_them_ends_last() {
    for round in 0..300 {
        let origin = Origin::start(Speech::Http1, |_| Turn::Answer(Duration::ZERO));
        let clients: Vec<TcpStream> = (0..8).map(|_| ask(origin.address())).collect();
        drop(clients); // all end while the account is asked for
        for _ in 0..2 {
            let account = origin.account();
            assert_eq!((account.connections, account.answered), (8, 8));
            assert_eq!(account.exchanges().count(), 8, "round {round}");
        }
    }
}
