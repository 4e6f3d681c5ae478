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

/// A store whose global and project scope are in memory, with room for so many files each, and the files behind it.
pub fn ram_scopes(files_per_scope: usize) -> (Store, [Ram; 2]) {
    let rams = [Ram::default(), Ram::default()];
    let root = |scope: Scope, ram: &Ram| {
        let key = RootKey { place: Place(format!("ram:{scope}")), identity: Identity(scope.to_string()) };
        Ok(Root::new(Some(scope), key, Seat::Home, Arc::new(ram.clone()), Arc::new(ram.clone())))
    };
    let roots = [root(Scope::Global, &rams[0]), root(Scope::Project, &rams[1]), Err("not in this test".to_owned())];
    let settings = Settings { file_bytes: 102_400, files_per_scope, index_lines: 200, index_bytes: 25_000 };
    let record = Arc::new(Sqlite::in_memory().unwrap());
    (Store::scoped(roots, record, settings, Arc::new(Timestamp::now)), rams)
}
