//! Requests that are odd on the wire: hidden ones, huge heads, heads and bodies that trickle, bodies at the limit.

use crate::support::home;
use loci_testkit::daemon::Daemon;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Status of the only answer; 0 = the daemon hung up without one.
fn only_status(answer: &str) -> u16 {
    assert!(answer.matches("HTTP/1.1 ").count() <= 1, "a hidden request was answered: {answer}");
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default()
}

#[test]
fn a_request_that_can_be_read_in_two_ways_is_refused() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let post = format!(
        "POST /workspace/memory/dream HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n",
        daemon.address(),
        daemon.token()
    );
    let hidden = format!("POST /workspace/memory/dream HTTP/1.1\r\nHost: {}\r\n\r\n", daemon.address());
    for lengths in [
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 2",
        "Content-Length: 2\r\nContent-Length: 60",
        "Content-Length: 2, 60",
        "Content-Length: +2",
        "Content-Length: -1",
        "Content-Length: 0x2",
        "Content-Length : 2",
        "Content-Length: 2\r\n folded: yes",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity, chunked, identity",
        "Transfer-Encoding:\u{b}chunked",
        "X: a\rTransfer-Encoding: chunked",
    ] {
        let answer = daemon.raw(format!("{post}{lengths}\r\n\r\n{{}}{hidden}").as_bytes());
        assert!((400..500).contains(&only_status(&answer)), "{lengths:?}: {answer}");
    }
    let huge = format!("GET /health HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", daemon.address(), "a".repeat(1 << 20));
    assert!([0, 400, 431].contains(&only_status(&daemon.raw(huge.as_bytes()))), "a head of a megabyte");
    for garbage in
        [&b"\x16\x03\x01\x02\x00\x01\n\n"[..], b"GET\n\n", b"\0\0\0\0\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        assert!([0, 400, 505].contains(&only_status(&daemon.raw(garbage))), "{garbage:?}");
    }
    let (_, tasks) = daemon.ask("GET", "/workspace/memory/tasks", None);
    assert_eq!(tasks, json!({"tasks": []}), "nothing was done");
}

#[test]
fn two_hundred_that_trickle_hold_nobody_up() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let opened = |start: &str| {
        let mut stream = TcpStream::connect(daemon.address()).unwrap();
        stream.write_all(start.as_bytes()).unwrap();
        stream
    };
    let mut heads: Vec<TcpStream> = (0..200).map(|_| opened("GET /health HTTP/1.1\r\nHost: localhost\r\nX-")).collect();
    let body = format!(
        "POST /clients HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{",
        daemon.address(),
        daemon.token()
    );
    let _bodies: Vec<TcpStream> = (0..50).map(|_| opened(&body)).collect();
    for _ in 0..5 {
        let start = Instant::now();
        assert_eq!(daemon.ask("GET", "/memory/files", None).0, 200);
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    }
    // Who does not come to the end of a head is hung up on, one sign a second or not.
    let (first, start) = (&mut heads[0], Instant::now());
    first.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    loop {
        let mut some = [0; 512];
        match first.read(&mut some) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => break,
            Err(_) => drop(first.write_all(b"a")),
        }
        assert!(start.elapsed() < Duration::from_secs(20), "a head may take for ever");
    }
}

#[test]
fn a_statement_ends_at_64_kib_to_the_byte() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    let most = 64 << 10;
    for (content, status) in [
        ("x".repeat(most), 202),
        (format!("{}é", "x".repeat(most - 2)), 202),
        ("x".repeat(most + 1), 400),
        (format!("{}é", "x".repeat(most - 1)), 400),
        (format!("{}\u{1f41d}", "x".repeat(most - 3)), 400),
    ] {
        let (got, answer) = daemon.ask("POST", "/workspace/memory/remember", Some(&json!({"content": content})));
        assert_eq!(got, status, "{} bytes: {answer}", content.len());
    }
}

#[test]
fn a_packed_body_is_not_unpacked() {
    let home = home();
    let daemon = Daemon::start(&home, &[], &[]);
    for packing in ["gzip", "deflate", "br", "zstd", "identity, gzip"] {
        for path in ["/workspace/memory/remember", "/memory/tool", "/mcp"] {
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Encoding: {packing}\r\nContent-Length: 4\r\nConnection: close\r\n\r\n\x1f\u{8}\0\0",
                daemon.address(),
                daemon.token()
            );
            let status = only_status(&daemon.raw(head.as_bytes()));
            assert!([400, 413, 415].contains(&status), "{path} {packing}: {status}");
        }
    }
}

#[test]
fn half_a_message_and_bytes_that_are_no_text_end_an_mcp_server_cleanly() {
    let home = home();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ping = json!({"jsonrpc": "2.0", "id": 7, "method": "ping"});
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"{}\"}}", "x".repeat(10 << 20));
    for tail in [
        b"{\"jsonrpc\":\"2.0\",\"id\":9,\"meth".to_vec(),
        b"\xff\xfe\xfd".to_vec(),
        b"[[[[[[[[".to_vec(),
        format!("{ping}\n{ping}\n[{ping},{ping}]\n{{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}}\n")
            .into_bytes(),
        long.into_bytes(),
    ] {
        let mut input = format!("{hello}\n").into_bytes();
        input.extend(&tail);
        let ran = loci_testkit::home::Ran::of(home.loci(&["mcp"]), &input);
        assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
        assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        // Whatever comes in, all that goes out is messages.
        let answers = ran.answers();
        assert!(answers.iter().all(|answer| answer["jsonrpc"] == "2.0"), "{}", ran.stdout);
        assert_eq!(answers[0]["result"]["serverInfo"]["name"], "loci");
    }
}
