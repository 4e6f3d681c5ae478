//! A folder as a source: no link is followed, hidden files are left out, and there is an end to it.

use super::{Bounds, too_much};
use crate::fault::Failure;
use loci_memory::import::{MANIFEST, Source};
use std::io::Read;
use std::path::Path;

/// How deep folders may be nested.
const DEEPEST: usize = 32;

/// Every file, in the order of their paths.
pub fn read(folder: &Path, bounds: &Bounds) -> Result<Vec<Source>, Failure> {
    let mut walk = Walk { bounds, sources: Vec::new(), entries: 0, bytes: 0 };
    walk.folder(folder, "", 0)?;
    walk.sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.sources)
}

/// The text of one file.
pub fn text(file: &Path, bounds: &Bounds) -> Result<String, String> {
    let open = std::fs::File::open(file).map_err(|error| format!("it cannot be read ({})", error.kind()))?;
    let mut bytes = Vec::new();
    open.take(bounds.file + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("it cannot be read ({})", error.kind()))?;
    words(bytes, bounds)
}

/// Bytes as text, if they are some.
pub fn words(bytes: Vec<u8>, bounds: &Bounds) -> Result<String, String> {
    if bytes.len() as u64 > bounds.file {
        return Err(format!("it is larger than {} bytes", bounds.file));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not a text file".to_owned())?;
    if text.contains('\0') { Err("it is not a text file".to_owned()) } else { Ok(text) }
}

struct Walk<'b> {
    bounds: &'b Bounds,
    sources: Vec<Source>,
    entries: usize,
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, prefix: &str, depth: usize) -> Result<(), Failure> {
        if depth > DEEPEST {
            return Err(too_much("its folders are nested too deeply"));
        }
        let entries = std::fs::read_dir(folder)
            .map_err(|error| Failure::from(anyhow::anyhow!("{} cannot be read: {error}", folder.display())))?;
        for entry in entries {
            let entry = entry?;
            self.entries += 1;
            if self.entries > self.bounds.entries {
                return Err(too_much(&format!("it holds more than {} files", self.bounds.entries)));
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let manifest = depth == 0 && name == MANIFEST;
            if (name.starts_with('.') && !manifest) || name == "node_modules" {
                continue;
            }
            let (path, kind) = (format!("{prefix}{name}"), entry.file_type()?);
            if kind.is_dir() {
                self.folder(&entry.path(), &format!("{path}/"), depth + 1)?;
            } else if kind.is_file() {
                let text = text(&entry.path(), self.bounds);
                self.bytes += text.as_ref().map_or(0, |text| text.len() as u64);
                if self.bytes > self.bounds.all {
                    return Err(too_much("it holds more than memory can"));
                }
                self.sources.push(Source { path, text });
            } else {
                self.sources.push(Source { path, text: Err("links and devices are not followed".to_owned()) });
            }
        }
        Ok(())
    }
}
