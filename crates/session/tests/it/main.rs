//! The room through its own doors: records, files, turns; over a ledger in memory and a folder that goes with the test.
#![allow(clippy::unwrap_used)]

mod files;
mod records;
mod turns;

use jiff::Timestamp;
use loci_domain::hot::Limits as HotLimits;
use loci_ledger::{Holding, LOCAL, Sqlite};
use loci_memory::Memory;
use loci_memory::context::{Boundary, Context};
use loci_memory::dream;
use loci_memory::now::Now;
use loci_memory::recall::Recall;
use loci_pipeline::Where;
use loci_session::sandbox::Limits;
use loci_session::turn::{Started, Wanted};
use loci_session::{Hall, Halls, Runtime, Settings};
use loci_testkit::ram::ram_store;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

struct OneHall(Memory);

impl Halls for OneHall {
    fn open(&self, _: &Hall) -> Memory {
        self.0.clone()
    }
}

/// A runtime and its home.
struct House {
    runtime: Runtime,
    _home: TempDir,
}

impl House {
    fn new() -> House {
        House::leasing(Duration::from_secs(900))
    }

    fn leasing(lease: Duration) -> House {
        let home = tempfile::tempdir().unwrap();
        let (store, _) = ram_store();
        let settings = Settings {
            lease,
            claim: Duration::from_secs(3600),
            max_context: 100_000,
            sandbox: Limits { time: Duration::from_secs(5), output: 10_000, processes: 64 },
            file_bytes: 1 << 20,
        };
        let ledger = Arc::new(Sqlite::open(&home.path().join("loci.db")).unwrap());
        let halls = Arc::new(OneHall(Memory::new(store)));
        let runtime = Runtime::new(ledger, halls, home.path().to_owned(), Where::default(), None, settings);
        House { runtime, _home: home }
    }

    async fn workspace(&self, name: &str) -> String {
        let body = json!({"name": name, "config": {"storage": {"provider": "local"}}});
        self.runtime.add(Holding::Workspace, LOCAL, body).await.unwrap().id
    }

    async fn agent(&self, body: Value) -> String {
        self.runtime.add(Holding::Agent, LOCAL, body).await.unwrap().id
    }

    async fn begin(&self, key: &str, event: &str, agent: &str, text: &str) -> loci_session::Result<Started> {
        let events = vec![json!({"role": "user", "content": text})];
        let wanted = Wanted { event: event.to_owned(), agent: agent.to_owned(), events };
        self.runtime.begin(LOCAL, key, wanted, &now()).await
    }
}

/// The settings as they come, without memory of its own.
fn now() -> Now {
    let time = Duration::from_secs(300);
    Now {
        memory: true,
        recall: true,
        question: Recall { query: String::new(), scope: None, limit: 5, doc_chars: 1200, session: None, model: None },
        context: Context {
            query: None,
            budget: 2000,
            session: None,
            boundary: Boundary::No,
            hot: HotLimits { item_bytes: 4096, total_bytes: 16_384, tokens: 1000, items: 20 },
            half_life_days: 30.0,
            summary_tokens: None,
            recall_limit: 5,
            doc_chars: 1200,
        },
        dream: dream::Settings {
            enabled: true,
            min_hours: 24,
            min_sessions: 5,
            scan_minutes: 10,
            lock_minutes: 60,
            max_loss: 0.2,
            turns: 6,
            time,
        },
        turns: 6,
        time,
        forget_max: 5,
    }
}

fn long_ago() -> Timestamp {
    Timestamp::UNIX_EPOCH
}
