//! A wire with faults: it loses an answer after the server did what was asked, cuts one short, or says in the server's
//! name that it is too busy.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What happens to an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It does not arrive, and the server has done what was asked.
    Lost,
    /// Only its first half arrives.
    Half,
    /// The server was not even asked: it wants to be left in peace.
    Busy,
}

const BUSY: &[u8] = b"HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: 49\r\n\
    Connection: close\r\n\r\n<Error><Code>SlowDown</Code><Message/></Error>   ";

#[derive(Default)]
struct State {
    next: Mutex<Option<(&'static str, Fault)>>,
    met: AtomicUsize,
}

impl State {
    fn fault(&self, asked: &[u8]) -> Option<Fault> {
        let next = self.next.lock().unwrap().take_if(|(method, _)| asked.starts_with(method.as_bytes()));
        next.map(|(_, fault)| fault)
    }
}

pub struct Proxy {
    port: u16,
    state: Arc<State>,
}

impl Proxy {
    pub async fn start(server: u16) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(relay(client, server, Arc::clone(&shared)));
            }
        });
        Proxy { port, state }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The next request with this method meets a fault.
    pub fn spoil(&self, method: &'static str, fault: Fault) {
        *self.state.next.lock().unwrap() = Some((method, fault));
    }

    /// How many met theirs.
    pub fn met(&self) -> usize {
        self.state.met.load(Ordering::Relaxed)
    }
}

async fn relay(mut client: TcpStream, server: u16, state: Arc<State>) {
    let Ok(mut upstream) = TcpStream::connect(("127.0.0.1", server)).await else { return };
    let (mut asked, mut answered) = ([0; 16384], [0; 16384]);
    let mut spoilt = None;
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let Ok(read @ 1..) = read else { return };
                spoilt = spoilt.or(state.fault(&asked[..read]));
                if spoilt == Some(Fault::Busy) {
                    state.met.fetch_add(1, Ordering::Relaxed);
                    let _ = client.write_all(BUSY).await;
                    return;
                }
                if upstream.write_all(&asked[..read]).await.is_err() {
                    return;
                }
            }
            read = upstream.read(&mut answered) => {
                let Ok(read @ 1..) = read else { return };
                // The server sends "go on" before it has the body.
                if let Some(fault) = spoilt.filter(|_| !answered.starts_with(b"HTTP/1.1 100")) {
                    state.met.fetch_add(1, Ordering::Relaxed);
                    if fault == Fault::Half {
                        // All of the head, and of the body all but its last bytes.
                        let _ = client.write_all(&answered[..read - 3]).await;
                    }
                    return;
                }
                if client.write_all(&answered[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}
