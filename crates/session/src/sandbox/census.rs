//! How many processes a command has started, by its PID namespace: limits on users do not bind root.

use std::fs::{read_dir, read_link, read_to_string};
use std::path::PathBuf;

/// The processes in the namespace below bubblewrap; 0 while there is none.
pub fn processes(bwrap: u32) -> usize {
    let Some(init) = child(bwrap) else { return 0 };
    let Some(namespace) = namespace(init) else { return 0 };
    if Some(&namespace) == self::namespace(bwrap).as_ref() {
        return 0;
    }
    let Ok(all) = read_dir("/proc") else { return 0 };
    let ids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| self::namespace(*id).as_ref() == Some(&namespace)).count()
}

fn child(parent: u32) -> Option<u32> {
    let children = read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

fn namespace(id: u32) -> Option<PathBuf> {
    read_link(format!("/proc/{id}/ns/pid")).ok()
}
