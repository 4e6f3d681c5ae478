//! A store in memory: one global scope, everything recorded, gone with the test.

use jiff::Timestamp;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use loci_ledger::Sqlite;
use loci_store::ram::Ram;
use loci_store::{Root, Settings, Store};
use std::sync::Arc;

/// A store whose global scope is in memory, and the files behind it.
pub fn ram_store() -> (Store, Ram) {
    let ram = Ram::default();
    let key = RootKey { place: Place("ram".to_owned()), identity: Identity("global".to_owned()) };
    let root = Root::new(Some(Scope::Global), key, Seat::Home, Arc::new(ram.clone()), Arc::new(ram.clone()));
    let none = || Err("not in this test".to_owned());
    let settings = Settings { file_bytes: 102_400, files_per_scope: 1000, index_lines: 200, index_bytes: 25_000 };
    let record = Arc::new(Sqlite::in_memory().unwrap());
    (Store::scoped([Ok(root), none(), none()], record, settings, Arc::new(Timestamp::now)), ram)
}
