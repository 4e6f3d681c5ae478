//! Real servers on loopback: each in a folder of its own, on free ports, killed when it is dropped.
//!
//! Owns how they are found and started. A program that is not there is a failure that says how to have it: a test that
//! quietly does nothing would prove nothing.

pub mod cutter;
pub mod postgres;
pub mod sshd;
pub mod weed;

use std::net::TcpListener;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A port of this machine that nobody has.
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// Waits until something is so.
fn until(what: &str, patience: Duration, is_so: impl FnMut() -> bool) {
    assert!(happens(patience, is_so), "{what} takes longer than {patience:?}");
}

/// Waits for something; says whether it came.
fn happens(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() >= patience {
            return false;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    true
}

/// A program of the path, or of the folders that only administrators have in theirs.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}
