//! Subscribers that come, listen for a while and go without a word, as pages and agents do.

use loci_testkit::daemon::Daemon;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// At the same time.
const CROWD: u64 = 4;

/// Goes on until it is told to stop.
pub fn come_and_go(daemon: &Daemon, stop: &AtomicBool) {
    std::thread::scope(|scope| {
        for seat in 0..CROWD {
            scope.spawn(move || {
                let mut visits = seat;
                while !stop.load(Ordering::Relaxed) {
                    visits += 1;
                    let path = if visits.is_multiple_of(2) { "/memory/events".to_owned() } else { session(daemon) };
                    listen(daemon, &path, Duration::from_millis(300 + 500 * (visits % 7)));
                }
            });
        }
    });
}

/// The events of a session of a client that is never heard of again.
fn session(daemon: &Daemon) -> String {
    let (status, opened) = daemon.ask("POST", "/session", Some(&serde_json::json!({})));
    assert_eq!(status, 200, "{opened}");
    format!("/session/{}/events", opened["sessionId"].as_str().unwrap())
}

fn listen(daemon: &Daemon, path: &str, time: Duration) {
    let mut stream = TcpStream::connect(daemon.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (host, token) = (daemon.address(), daemon.token());
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let (until, mut heard) = (Instant::now() + time, [0; 4096]);
    while Instant::now() < until {
        // Silence is no error, and an end is.
        assert!(!matches!(stream.read(&mut heard), Ok(0)), "{path} has ended");
    }
}
