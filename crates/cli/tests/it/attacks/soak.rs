//! A daemon in use for a while: descriptors, memory and the ledger's log stay as they are. Some seconds by day, long at night.

use super::seconds;
use crate::support::{G, delete, doc, home, replace};
use loci_testkit::daemon::Daemon;
use loci_testkit::home::create;
use serde_json::{Value, json};
use std::time::Instant;

struct Figures {
    descriptors: usize,
    mebibytes: usize,
    log_kibibytes: u64,
}

fn figures(daemon: &Daemon, home: &loci_testkit::home::Home) -> Figures {
    let of = format!("/proc/{}", daemon.id());
    let status = std::fs::read_to_string(format!("{of}/status")).unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    Figures {
        descriptors: std::fs::read_dir(format!("{of}/fd")).unwrap().count(),
        mebibytes: resident.trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10,
        log_kibibytes: std::fs::metadata(home.home().join("loci.db-wal")).map_or(0, |log| log.len() >> 10),
    }
}

/// A bit of everything.
fn use_it(daemon: &Daemon, round: usize) {
    let tool = |mut call: Value| {
        call["mode"] = json!("exec");
        let (status, answer) = daemon.ask("POST", "/memory/tool", Some(&call));
        assert!(status == 200 && answer["success"] == true, "{call}: {status} {answer}");
    };
    let path = format!("{G}notes/{}.md", round % 20);
    tool(create(&path, &doc("Note", &format!("Crane {round} lifts tons."))));
    tool(replace(&path, "lifts", "carries"));
    assert_eq!(daemon.ask("POST", "/memory/recall", Some(&json!({"query": "which crane carries"}))).0, 200);
    assert_eq!(daemon.ask("GET", "/memory/context", None).0, 200);
    assert_eq!(daemon.ask("GET", "/memory/files", None).0, 200);
    assert_eq!(daemon.ask_as("wrong", "GET", "/status", None).0, 401);
    tool(delete(&path));
}

#[test]
fn a_daemon_in_use_stays_as_it_is() {
    let home = home();
    let daemon = Daemon::start(&home, &["--set", "daemon.rate_per_second=100000"], &[]);
    (0..60).for_each(|round| use_it(&daemon, round));
    let before = figures(&daemon, &home);
    let end = Instant::now() + seconds(5, 600);
    let mut rounds = 60;
    while Instant::now() < end {
        use_it(&daemon, rounds);
        rounds += 1;
    }
    let after = figures(&daemon, &home);
    println!("{rounds} rounds; {} → {} MiB, log {} KiB", before.mebibytes, after.mebibytes, after.log_kibibytes);
    assert!(after.descriptors <= before.descriptors + 8, "{} → {}", before.descriptors, after.descriptors);
    assert!(after.mebibytes <= before.mebibytes + 40, "{} → {} MiB", before.mebibytes, after.mebibytes);
    assert!(after.log_kibibytes < 16 << 10, "{} KiB", after.log_kibibytes);
    assert_eq!(daemon.stop(), Some(0));
}
