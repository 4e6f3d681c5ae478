//! A memory for measuring.

use crate::fault::Failure;
use jiff::Timestamp;
use loci_domain::access::Seat;
use loci_domain::change::{Identity, Place};
use loci_domain::row::RootKey;
use loci_domain::scope::Scope;
use loci_ledger::Sqlite;
use loci_memory::Memory;
use loci_store::ram::Ram;
use loci_store::{Root, Settings, Store};
use std::sync::Arc;

/// Memory that lives in this process only, for measuring: global and project scope in memory, nothing on disk.
pub fn memory_in_ram() -> Result<Memory, Failure> {
    let root = |scope: Scope| {
        let ram = Ram::default();
        let key = RootKey { place: Place(format!("ram:{scope}")), identity: Identity(format!("ram:{scope}")) };
        Ok(Root::new(Some(scope), key, Seat::Home, Arc::new(ram.clone()), Arc::new(ram)))
    };
    let roots = [root(Scope::Global), root(Scope::Project), Err("not in a measurement".to_owned())];
    let settings = Settings { file_bytes: 1 << 20, files_per_scope: 1_000_000, index_lines: 0, index_bytes: 0 };
    let store = Store::scoped(roots, Arc::new(Sqlite::in_memory()?), settings, Arc::new(Timestamp::now));
    Ok(Memory::new(store))
}
