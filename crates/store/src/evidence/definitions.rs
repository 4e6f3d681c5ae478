//! Where the project defines what: a rough table, made when a memory names a symbol without its file.
//!
//! Bounded in names, files, bytes and depth, and kept for a few seconds, so that many memories that come at once share it.
//! It only says where to look; whoever uses it reads the file itself.

use crate::local::Local;
use loci_domain::evidence::defined;
use loci_domain::path::EntryPath;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const MOST_FILES: usize = 1_500;
/// Names that are looked at: a tree may be large without a single source file in it.
const MOST_NAMES: usize = 20_000;
const MOST_BYTES: u64 = 8 << 20;
const LARGEST: u64 = 256 << 10;
const DEEPEST: usize = 12;
/// Files that are remembered for one name.
const MOST_PLACES: usize = 4;
const FRESH: Duration = Duration::from_secs(5);

/// Folders that hold what tools made.
const MADE: [&str; 12] = [
    "node_modules",
    "target",
    "dist",
    "build",
    "vendor",
    "venv",
    "__pycache__",
    "out",
    "coverage",
    "third_party",
    "bin",
    "obj",
];
const SOURCES: [&str; 44] = [
    "rs", "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "go", "java", "kt", "kts", "scala", "c", "h",
    "cc", "cpp", "hpp", "cs", "rb", "php", "swift", "m", "mm", "sh", "bash", "lua", "ex", "exs", "erl", "hs", "ml",
    "clj", "sql", "toml", "yaml", "yml", "vue", "svelte", "dart", "zig", "json",
];

/// The table as it was last made.
#[derive(Default)]
pub(super) struct Known(Mutex<Option<(Instant, Arc<Definitions>)>>);

impl Known {
    /// A table that is a few seconds old at most.
    pub fn fresh(&self, top: &Path, files: &Local) -> Arc<Definitions> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = slot.as_ref().filter(|(made, _)| made.elapsed() < FRESH) {
            return Arc::clone(known);
        }
        let made = Arc::new(Definitions::make(top, files));
        *slot = Some((Instant::now(), Arc::clone(&made)));
        made
    }
}

/// Which files define a name.
#[derive(Default)]
pub(super) struct Definitions {
    files: Vec<EntryPath>,
    names: HashMap<String, Vec<usize>>,
}

impl Definitions {
    /// The one file of this name, wherever it is; `None` when there are several.
    pub fn file(&self, name: &str) -> Option<EntryPath> {
        let mut found = self.files.iter().filter(|path| path.file_name() == name);
        found.next().filter(|_| found.next().is_none()).cloned()
    }

    /// The first files that define a name, by path.
    pub fn files_with(&self, name: &str) -> impl Iterator<Item = &EntryPath> {
        self.names.get(name).into_iter().flatten().map(|at| &self.files[*at])
    }

    fn make(top: &Path, files: &Local) -> Definitions {
        let mut made = Definitions::default();
        let mut names = MOST_NAMES;
        made.walk(top, None, 0, &mut names);
        made.files.sort();
        let mut left = MOST_BYTES;
        for at in 0..made.files.len() {
            let Ok(Some(blob)) = files.read_here(&made.files[at], LARGEST.min(left)) else { continue };
            left = left.saturating_sub(blob.bytes.len() as u64);
            for name in String::from_utf8_lossy(&blob.bytes).lines().filter_map(defined) {
                match made.names.get_mut(name) {
                    Some(places) if places.len() < MOST_PLACES && places.last() != Some(&at) => places.push(at),
                    Some(_) => {}
                    None => drop(made.names.insert(name.to_owned(), vec![at])),
                }
            }
        }
        made
    }

    /// Gathers the names of source files. Names only: each file is then opened below the checkout, and never through a link.
    fn walk(&mut self, folder: &Path, at: Option<&EntryPath>, depth: usize, names: &mut usize) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut inner = Vec::new();
        for entry in entries.flatten() {
            let Some(left) = names.checked_sub(1) else { break };
            *names = left;
            let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
            let Ok(path) = at.map_or_else(|| EntryPath::parse(name), |at| at.child(name)) else { continue };
            let source = name.rsplit_once('.').is_some_and(|(_, ending)| SOURCES.contains(&ending));
            if kind.is_dir() && depth < DEEPEST && !MADE.contains(&name) {
                inner.push((entry.path(), path));
            } else if kind.is_file() && source && self.files.len() < MOST_FILES {
                self.files.push(path);
            }
        }
        inner.sort();
        for (folder, path) in inner {
            if self.files.len() < MOST_FILES && *names > 0 {
                self.walk(&folder, Some(&path), depth + 1, names);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_without_sources_is_not_read_whole() {
        let top = tempfile::tempdir().unwrap();
        for folder in 0..20 {
            let folder = top.path().join(format!("data-{folder:02}"));
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("code.rs"), "fn somewhere() {}\n").unwrap();
        }
        let seen = |mut names: usize| {
            let mut made = Definitions::default();
            made.walk(top.path(), None, 0, &mut names);
            (made.files.len(), names)
        };
        assert_eq!(seen(100), (20, 60));
        assert_eq!(seen(25), (5, 0), "twenty folders, and five of their files");
        assert_eq!(seen(10), (0, 0));
    }
}
