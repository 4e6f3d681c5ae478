//! Where agents keep what was said: folders and patterns of names, and nothing is read here but names.

use super::Reach;
use loci_domain::transcript::Format;
use std::path::{Path, PathBuf};

/// Where an agent keeps its sessions.
#[derive(Clone, Copy)]
pub struct Keeps {
    /// How they are written.
    pub format: Format,
    /// Folders, and which files below them; `*` stands for any part of a name.
    pub places: fn(&Reach) -> Vec<(PathBuf, &'static str)>,
    /// Names of files that are no sessions; empty = all are.
    pub except: &'static str,
    /// What else it keeps sessions in, and Loci cannot read.
    pub unread: Option<Unread>,
}

/// Something that holds sessions and is not read.
#[derive(Clone, Copy)]
pub struct Unread {
    /// Where it is.
    pub path: fn(&Reach) -> PathBuf,
    /// What a person can do.
    pub advice: &'static str,
}

impl Keeps {
    /// The files of its sessions on this machine, by name. Below the folders no link is followed.
    pub fn files(&self, reach: &Reach) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for (folder, pattern) in (self.places)(reach) {
            let segments: Vec<&str> = pattern.split('/').collect();
            walk(&folder, &segments, &mut files);
        }
        files.retain(|file| !file.file_name().is_some_and(|name| fits(self.except, &name.to_string_lossy())));
        files.sort_unstable();
        files
    }
}

fn walk(folder: &Path, segments: &[&str], files: &mut Vec<PathBuf>) {
    let Some((pattern, rest)) = segments.split_first() else { return };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if !fits(pattern, &entry.file_name().to_string_lossy()) {
            continue;
        }
        match rest.is_empty() {
            true if kind.is_file() => files.push(entry.path()),
            false if kind.is_dir() => walk(&entry.path(), rest, files),
            _ => {}
        }
    }
}

/// Whether a name fits a pattern.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            let mut ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.any(|at| fits(rest, &name[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("*.jsonl", "a.jsonl", true),
            ("*.jsonl", "a.json", false),
            ("session-*.json", "session-1.json", true),
            ("session-*.json", "session-1.jsonl", false),
            ("agent-*", "agent-ü", true),
            ("", "x", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
