//! Verbs over a store in memory.
// Helpers of tests are tests too.
#![allow(clippy::unwrap_used)]

mod context;
mod draft;
mod dream;
mod extract;
mod floor;
mod forget;
mod recall;
mod remember;
mod scripted;
mod selection;
mod sessions;
mod small_talk;
mod streams;
mod stronger;
mod toolbox;
mod withdraw;

use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_memory::Memory;
use loci_store::ram::Ram;
use loci_store::{Backend, Care, Expect};
use loci_testkit::ram::{ram_scopes, ram_store};

/// Memory over files that an editor wrote: `path` and whole text, one after the other.
async fn memory(files: &[(&str, &str)]) -> (Memory, Ram) {
    let (store, ram) = ram_store();
    for (path, text) in files {
        write(&ram, path, text).await;
    }
    (Memory::new(store), ram)
}

/// Memory with a global and a project scope.
async fn scopes() -> (Memory, [Ram; 2]) {
    let (store, rams) = ram_scopes(1000);
    (Memory::new(store), rams)
}

/// A file's text as it lies there.
async fn text(ram: &Ram, path: &str) -> Option<String> {
    let blob = ram.read(&EntryPath::parse(path).unwrap(), 1 << 20).await.unwrap();
    blob.map(|blob| String::from_utf8(blob.bytes).unwrap())
}

/// An editor's hand: past Loci.
async fn write(ram: &Ram, path: &str, text: &str) {
    let bytes = Clean::kept(text.as_bytes().to_vec());
    ram.write_if(&EntryPath::parse(path).unwrap(), &bytes, Expect::Anything, Care::Derived).await.unwrap();
}

/// A document with its face.
fn document(name: &str, description: &str, kind: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n{body}\n")
}
