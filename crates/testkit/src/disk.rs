//! A store on disk: one global scope in a temporary folder, recorded in a ledger beside it.

use jiff::Timestamp;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use loci_ledger::Sqlite;
use loci_store::local::{Local, Modes};
use loci_store::lock::FileLock;
use loci_store::{Root, Settings, Store};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// A store with room for so many files, the folder of its files, and what removes all of it when dropped.
pub fn disk_store(files_per_scope: usize) -> (Store, PathBuf, TempDir) {
    let dir = tempfile::Builder::new().prefix("loci-disk-").tempdir().unwrap();
    let home = dir.path().canonicalize().unwrap();
    let files = home.join("memory");
    let key = RootKey { place: Place(files.display().to_string()), identity: Identity("global".to_owned()) };
    let backend = Local::new(home.clone(), &["memory"], Modes::Private);
    let lock = FileLock::File(home.join("locks/global"));
    let root = Root::new(Some(Scope::Global), key, Seat::Home, Arc::new(backend), Arc::new(lock));
    let none = || Err("not in this test".to_owned());
    let settings = Settings { file_bytes: 102_400, files_per_scope, index_lines: 200, index_bytes: 25_000 };
    let record = Arc::new(Sqlite::open(&home.join("ledger.db")).unwrap());
    (Store::scoped([Ok(root), none(), none()], record, settings, Arc::new(Timestamp::now)), files, dir)
}
