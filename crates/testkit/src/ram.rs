//! A store in memory: scopes that are gone with the test, everything recorded.

use jiff::Timestamp;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use loci_ledger::Sqlite;
use loci_store::ram::Ram;
use loci_store::{Backend, Root, Settings, Store};
use std::sync::Arc;

/// A store whose global scope is in memory, and the files behind it.
pub fn ram_store() -> (Store, Ram) {
    let ram = Ram::default();
    let key = RootKey { place: Place("ram".to_owned()), identity: Identity("global".to_owned()) };
    let root = Root::new(Some(Scope::Global), key, Seat::Home, Arc::new(ram.clone()), Arc::new(ram.clone()));
    let none = || Err("not in this test".to_owned());
    (store([Ok(root), none(), none()], 1000), ram)
}

/// A store whose global and project scope are in memory, with room for so many files each, and the files behind it.
pub fn ram_scopes(files_per_scope: usize) -> (Store, [Ram; 2]) {
    let rams = [Ram::default(), Ram::default()];
    let over = |ram: &Ram| Some((Arc::new(ram.clone()) as Arc<dyn Backend>, ram.clone()));
    (scopes_over([over(&rams[0]), over(&rams[1]), None], files_per_scope), rams)
}

/// A store over such files, each locked as the files in memory beside them are.
pub fn scopes_over(files: [Option<(Arc<dyn Backend>, Ram)>; 3], files_per_scope: usize) -> Store {
    let mut scopes = Scope::ALL.into_iter();
    let roots = files.map(|files| {
        let scope = scopes.next().unwrap();
        let (files, lock) = files.ok_or_else(|| "not in this test".to_owned())?;
        let key = RootKey { place: Place(format!("ram:{scope}")), identity: Identity(scope.to_string()) };
        Ok(Root::new(Some(scope), key, Seat::Home, files, Arc::new(lock)))
    });
    store(roots, files_per_scope)
}

fn store(roots: [Result<Root, String>; 3], files_per_scope: usize) -> Store {
    let settings = Settings { file_bytes: 102_400, files_per_scope, index_lines: 200, index_bytes: 25_000 };
    let record = Arc::new(Sqlite::in_memory().unwrap());
    Store::scoped(roots, record, settings, Arc::new(Timestamp::now))
}
