//! What recall over sessions costs in a long-lived process, by the clock, so let nothing else run:
//! `cargo run --release -p loci-memory --example sessions_cost [--json] [MESSAGES]`.
// A measurement has nobody to hand an error to.
#![allow(clippy::unwrap_used)]

use loci_domain::transcript::Format;
use loci_memory::Memory;
use loci_memory::recall::sessions::{Reach, RecallSessions};
use loci_memory::sessions::Transcript;
use std::time::Instant;

/// Small numbers that look random and are the same in every run (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// A word of a vocabulary in which few words are frequent and most are rare, as in any language.
    fn word(&mut self) -> String {
        let rank = 30_000_f64.powf(self.roll(1_000_000) as f64 / 1e6) as u64;
        let syllables = ["ka", "lo", "mi", "ter", "son", "ra", "vel", "ny", "do", "fi", "gru", "sha", "pe"];
        let mut word = String::new();
        let mut rest = rank + 13;
        while rest > 0 {
            word.push_str(syllables[(rest % 13) as usize]);
            rest /= 13;
        }
        word
    }

    fn words(&mut self, count: u64) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let total: u64 = std::env::args().find_map(|count| count.parse().ok()).unwrap_or(100_000);
    let json = std::env::args().any(|word| word == "--json");
    let mut dice = Dice(88_172_645_463_325_252);
    let (store, _ram) = loci_testkit::ram::ram_store();
    let memory = Memory::new(store);
    let start = Instant::now();
    for session in 0..total.div_ceil(50) {
        let mut lines = String::new();
        for n in 0..50 {
            let count = 4 + dice.roll(40);
            let content = dice.words(count);
            lines.push_str(&format!("{{\"id\":{n},\"role\":\"user\",\"content\":\"{content}\"}}\n"));
        }
        let mut source = std::io::Cursor::new(&lines);
        let (id, changed_at) = (format!("s{session}"), jiff::Timestamp::UNIX_EPOCH);
        memory.import_session(Transcript { id, format: Format::Loci, source: &mut source, changed_at }).await.unwrap();
    }
    let imported = start.elapsed().as_secs_f64();
    let mut times = Vec::new();
    for _ in 0..200 {
        let count = 3 + dice.roll(6);
        let ask = RecallSessions { query: dice.words(count), limit: 5, reach: Reach::Here };
        let start = Instant::now();
        memory.recall_sessions(ask).await.unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    let (half, most) = (times[times.len() / 2], times[times.len() * 19 / 20]);
    if json {
        return println!("{}", serde_json::json!({"p50": half, "p95": most}));
    }
    println!("imported {total} messages in {imported:.1} s");
    println!("first question {first:.1} ms; p50 {half:.1} ms, p95 {most:.1} ms, least {:.1} ms", times[0]);
}
