//! Fills what may be filled before anything is judged: a connection to the ledger may keep 8 MB of its pages.
//!
//! It is not all that a young daemon grows by: background jobs open memory anew, and what they free stays in the arenas
//! of the allocator.

use loci_testkit::daemon::Daemon;
use serde_json::json;

/// Documents of 90 KB whose journal is larger than what one connection keeps.
const DOCUMENTS: u64 = 240;
const LINES: u64 = 1_400;

/// More than the ledger has connections for reading.
const READERS: usize = 6;

/// Makes and removes documents, and reads their old versions again on every connection.
pub fn up(daemon: &Daemon) {
    let versions: Vec<String> = (1..=DOCUMENTS).map(|number| version(daemon, number)).collect();
    std::thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| versions.iter().for_each(|version| assert_eq!(daemon.ask("GET", version, None).0, 200)));
        }
    });
}

/// The address of a document that is there no longer.
fn version(daemon: &Daemon, number: u64) -> String {
    let path = format!("/memories/global/warm/{number}.md");
    let tool = |call: serde_json::Value| {
        let (_, answer) = daemon.ask("POST", "/memory/tool", Some(&call));
        assert_eq!(answer["success"], true, "{answer}");
    };
    tool(json!({"command": "create", "path": path, "file_text": text(number), "mode": "exec"}));
    let (_, history) = daemon.ask("GET", &format!("/memory/history?path={path}"), None);
    tool(json!({"command": "delete", "path": path, "mode": "exec"}));
    format!("/memory/file?path={path}&at={}", history["changes"][0]["id"].as_str().unwrap())
}

/// Text that does not compress well, so that the ledger grows by it (xorshift).
fn text(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..LINES).map(|_| format!("{:016x} {:016x} {:016x} {:012x}\n", next(), next(), next(), next() >> 16)).collect()
}
