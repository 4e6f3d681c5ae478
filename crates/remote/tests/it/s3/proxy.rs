//! A wire that can lose an answer after the server did what was asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Default)]
struct State {
    lose: Mutex<Option<&'static str>>,
    lost: AtomicUsize,
}

impl State {
    fn loses(&self, asked: &[u8]) -> bool {
        self.lose.lock().unwrap().take_if(|method| asked.starts_with(method.as_bytes())).is_some()
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

    pub fn lose_the_next_answer_to(&self, method: &'static str) {
        *self.state.lose.lock().unwrap() = Some(method);
    }

    pub fn lost(&self) -> usize {
        self.state.lost.load(Ordering::Relaxed)
    }
}

async fn relay(mut client: TcpStream, server: u16, state: Arc<State>) {
    let Ok(mut upstream) = TcpStream::connect(("127.0.0.1", server)).await else { return };
    let (mut asked, mut answered) = ([0; 16384], [0; 16384]);
    let mut losing = false;
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let Ok(read @ 1..) = read else { return };
                losing |= state.loses(&asked[..read]);
                if upstream.write_all(&asked[..read]).await.is_err() {
                    return;
                }
            }
            read = upstream.read(&mut answered) => {
                let Ok(read @ 1..) = read else { return };
                // The server sends "go on" before it has the body.
                if losing && !answered.starts_with(b"HTTP/1.1 100") {
                    state.lost.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                if client.write_all(&answered[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}
