//! Files of the checkout that are made of something else, and are committed so that they can be read.

use std::path::{Path, PathBuf};

/// Holds that a committed file is what it is made of now. `LOCI_BLESS=1` writes it anew.
pub fn same(file: &str, made: &str) {
    let path = at(file);
    if std::env::var_os("LOCI_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == made, "{file} is stale; LOCI_BLESS=1 writes it anew");
}

/// The same for a whole folder: a file that nothing makes any more is stale too.
pub fn same_folder(folder: &str, made: &[(String, String)]) {
    let path = at(folder);
    if std::env::var_os("LOCI_BLESS").is_some() && path.is_dir() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    made.iter().for_each(|(name, text)| same(&format!("{folder}/{name}"), text));
    let mut known: Vec<&str> = made.iter().map(|(name, _)| name.as_str()).collect();
    known.sort_unstable();
    assert_eq!(crate::home::tree(&path).keys().collect::<Vec<_>>(), known, "{folder} holds what nothing makes");
}

fn at(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}
