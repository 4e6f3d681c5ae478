//! A line to PostgreSQL that can be cut exactly at a commit: before the server hears of it, or before its answer comes back.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a client sends to commit: a simple query.
const COMMIT: &[u8] = b"COMMIT\0";

/// Where the line is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The server never hears of the commit.
    Before,
    /// The server has committed, and nobody is told.
    After,
}

/// A door in front of a server; it lives as long as the process.
pub struct Cutter {
    port: u16,
    inner: Arc<Inner>,
}

struct Inner {
    to: String,
    /// Commits until the line is cut; 0 = it is not.
    left: AtomicUsize,
    after: AtomicBool,
    cuts: AtomicUsize,
}

impl Cutter {
    /// A door in front of the server that this URL names.
    pub fn before(url: &str) -> Cutter {
        let (_, rest) = url.split_once('@').unwrap();
        let to = rest.split('/').next().unwrap().to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let inner = Inner { to, left: AtomicUsize::new(0), after: AtomicBool::new(false), cuts: AtomicUsize::new(0) };
        let inner = Arc::new(inner);
        let own = Arc::clone(&inner);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let inner = Arc::clone(&own);
                std::thread::spawn(move || inner.join(client));
            }
        });
        Cutter { port, inner }
    }

    /// The same URL through this door.
    pub fn url(&self, url: &str) -> String {
        url.replace(&self.inner.to, &format!("127.0.0.1:{}", self.port))
    }

    /// Cuts the line at the Nth commit from now on, once.
    pub fn arm(&self, nth: usize, cut: Cut) {
        self.inner.after.store(cut == Cut::After, Ordering::SeqCst);
        self.inner.left.store(nth, Ordering::SeqCst);
    }

    /// How often it was cut.
    pub fn cuts(&self) -> usize {
        self.inner.cuts.load(Ordering::SeqCst)
    }
}

impl Inner {
    /// Carries what both sides say until one of them ends or the line is cut.
    fn join(&self, mut client: TcpStream) {
        let Ok(mut server) = TcpStream::connect(&self.to) else { return };
        let (mut back, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let mute = Arc::new(AtomicBool::new(false));
        let muted = Arc::clone(&mute);
        let answers = std::thread::spawn(move || {
            let mut bytes = [0; 16 * 1024];
            while let Ok(many @ 1..) = back.read(&mut bytes) {
                if muted.load(Ordering::SeqCst) || to_client.write_all(&bytes[..many]).is_err() {
                    break;
                }
            }
            let _ = (back.shutdown(Shutdown::Both), to_client.shutdown(Shutdown::Both));
        });
        let mut bytes = [0; 16 * 1024];
        while let Ok(many @ 1..) = client.read(&mut bytes) {
            let said = &bytes[..many];
            if said.windows(COMMIT.len()).any(|part| part == COMMIT) && self.is_the_one() {
                if !self.after.load(Ordering::SeqCst) {
                    break;
                }
                // The answer comes to the thread above, which keeps it to itself and hangs up.
                mute.store(true, Ordering::SeqCst);
            }
            if server.write_all(said).is_err() {
                break;
            }
        }
        if !mute.load(Ordering::SeqCst) {
            let _ = (server.shutdown(Shutdown::Both), client.shutdown(Shutdown::Both));
        }
        let _ = answers.join();
    }

    /// Counts a commit; whether the line is cut at this one.
    fn is_the_one(&self) -> bool {
        let count = |left: usize| left.checked_sub(1);
        let cut = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, count) == Ok(1);
        self.cuts.fetch_add(usize::from(cut), Ordering::SeqCst);
        cut
    }
}
