//! What a collector of OpenTelemetry is told: that things happened, never what about.

use loci_testkit::daemon::Daemon;
use loci_testkit::home::Home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Takes what it is sent, after it has said `first` to as many requests.
struct Collector {
    address: SocketAddr,
    taken: Arc<Mutex<Vec<Value>>>,
}

impl Collector {
    fn start(first: Vec<u16>) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let taken = Arc::new(Mutex::new(Vec::new()));
        let (kept, first) = (Arc::clone(&taken), Arc::new(Mutex::new(first)));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (kept, first) = (Arc::clone(&kept), Arc::clone(&first));
                std::thread::spawn(move || serve(stream, &kept, &first));
            }
        });
        Collector { address, taken }
    }

    fn flag(&self) -> String {
        format!("telemetry.otlp_endpoint=http://{}", self.address)
    }

    /// Log records by name, as soon as all of these are there.
    fn records(&self, names: &[&str]) -> Vec<Value> {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let taken = self.taken.lock().unwrap().clone();
            let logs = taken.iter().flat_map(|request| request["resourceLogs"][0]["scopeLogs"].as_array().unwrap());
            let records: Vec<Value> = logs.flat_map(|scope| scope["logRecords"].as_array().unwrap().clone()).collect();
            if names.iter().all(|name| records.iter().any(|record| record["eventName"] == *name)) {
                return records;
            }
            assert!(Instant::now() < until, "of {names:?} only these came: {records:#?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// One connection, kept alive as clients of HTTP do.
fn serve(mut stream: TcpStream, kept: &Mutex<Vec<Value>>, first: &Mutex<Vec<u16>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        assert!(head.starts_with("POST /v1/logs HTTP/1.1\r\n"), "{head}");
        let lower = head.to_lowercase();
        assert!(lower.contains("content-type: application/json"), "{head}");
        let length = lower.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().trim();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).ok()?;
        let said = first.lock().unwrap().pop();
        if said.is_none() {
            kept.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
        }
        let status = said.unwrap_or(200);
        write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: 2\r\ncontent-type: application/json\r\n\r\n{{}}")
            .ok()?;
    }
}

fn attribute(record: &Value, name: &str) -> Value {
    let all = record["attributes"].as_array().unwrap();
    all.iter().find(|attribute| attribute["key"] == name).map(|found| found["value"].clone()).unwrap_or_default()
}

#[test]
fn events_reach_a_collector_without_content() {
    let home = Home::new(env!("CARGO_BIN_EXE_loci"));
    // The first request meets a collector that is too busy: it comes again.
    let collector = Collector::start(vec![503]);
    let daemon = Daemon::start(&home, &["--set", &collector.flag()], &[]);
    let id = daemon.post("remember", &json!({"content": "The xylograph hangs in the zebrano corridor."}));
    assert_eq!(daemon.finished(&id)["status"], "completed");
    let (status, _) = daemon.ask("POST", "/memory/recall", Some(&json!({"query": "where does the xylograph hang"})));
    assert_eq!(status, 200);
    let records = collector.records(&["memory.remember", "memory.recall", "daemon.task", "daemon.request"]);
    let recall = records.iter().find(|record| record["eventName"] == "memory.recall").unwrap();
    assert_eq!(attribute(recall, "docs_selected"), json!({"intValue": "1"}));
    assert_eq!(attribute(recall, "strategy"), json!({"stringValue": "heuristic"}));
    let told = serde_json::to_string(&*collector.taken.lock().unwrap()).unwrap();
    let token = std::fs::read_to_string(home.home().join("token")).unwrap();
    for private in ["xylograph", "zebrano", token.trim(), home.dir().to_str().unwrap()] {
        assert!(!told.contains(private), "{private} was told");
    }
    assert_eq!(daemon.stop(), Some(0));
}

#[test]
fn a_collector_that_is_away_delays_nobody() {
    let home = Home::new(env!("CARGO_BIN_EXE_loci"));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let flag = format!("telemetry.otlp_endpoint=http://{free}");
    let daemon = Daemon::start(&home, &["--set", &flag], &[]);
    let id = daemon.post("remember", &json!({"content": "The lighthouse keeper is called Ottilie."}));
    assert_eq!(daemon.finished(&id)["status"], "completed");
    let start = Instant::now();
    assert_eq!(daemon.stop(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}

#[test]
fn a_collector_that_is_none_is_refused() {
    let home = Home::new(env!("CARGO_BIN_EXE_loci"));
    let ran = home.run(&["serve", "--port", "0", "--set", "telemetry.otlp_endpoint=localhost:4318"]);
    assert_eq!(ran.exit, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("must begin with http:// or https://"), "{}", ran.stderr);
}
