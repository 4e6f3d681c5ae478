//! What only SQLite promises: a file, other processes, damage, and a price that does not grow.

mod cost;
mod damage;
mod opening;
mod processes;
mod search;
mod sessions;
mod vanishing;

use loci_ledger::{Error, Journal, Ledger, Sqlite};
use loci_testkit::contract::ledger::sample;
use std::path::{Path, PathBuf};

/// A folder to keep a ledger in.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().unwrap())
    }

    fn db(&self) -> PathBuf {
        self.0.path().join("loci.db")
    }

    fn open(&self) -> Sqlite {
        Sqlite::open(&self.db()).unwrap()
    }

    fn refusal(&self) -> Error {
        Sqlite::open(&self.db()).unwrap_err()
    }

    /// What lies in the folder, by name.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.0.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// Changes `<word>0` to `<word><count - 1>`, one by one as processes make them.
async fn many(ledger: &dyn Ledger, word: &str, count: usize) {
    for number in 0..count {
        sample::make(ledger, &[sample::change(&format!("{word}{number}"))]).await;
    }
}

async fn logged(ledger: &Sqlite) -> usize {
    let ask = loci_ledger::Log { places: vec![sample::home().place], path: None, limit: usize::MAX };
    ledger.changes(&ask).await.unwrap().len()
}
