//! The room through its own doors: records, files, turns; over a ledger in memory and a folder that goes with the test.
#![allow(clippy::unwrap_used)]

mod elsewhere;
mod files;
mod records;
mod turns;

use jiff::Timestamp;
use loci_domain::hot::Limits as HotLimits;
use loci_ledger::{Holding, LOCAL, Sqlite};
use loci_memory::Memory;
use loci_memory::context::Context;
use loci_memory::now::Now;
use loci_pipeline::Where;
use loci_session::sandbox::Limits;
use loci_session::storage::Disk;
use loci_session::turn::{Started, Wanted};
use loci_session::{Hall, Halls, Runtime, Settings, Storages};
use loci_testkit::ram::ram_store;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
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
    home: TempDir,
}

impl House {
    fn new() -> House {
        House::leasing(Duration::from_secs(900))
    }

    fn leasing(lease: Duration) -> House {
        House::with(lease, None, |home| Arc::new(Disk::new(home.to_owned())))
    }

    fn with(lease: Duration, bwrap: Option<PathBuf>, storages: impl FnOnce(&Path) -> Arc<dyn Storages>) -> House {
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
        let (storages, at) = (storages(home.path()), home.path().to_owned());
        let runtime = Runtime::new(ledger, halls, storages, at, Where::default(), bwrap, settings);
        House { runtime, home }
    }

    fn home(&self) -> &Path {
        self.home.path()
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

/// The settings as they come, with a small context.
fn now() -> Now {
    let now = Now::default();
    let hot = HotLimits { item_bytes: 4096, total_bytes: 16_384, tokens: 1000, items: 20 };
    Now { context: Context { budget: 2000, hot, ..now.context }, ..now }
}

fn long_ago() -> Timestamp {
    Timestamp::UNIX_EPOCH
}
