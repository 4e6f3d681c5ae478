//! An archive (`.tar.zst`) as a source. Nothing is unpacked to disk: entries become text in memory, within bounds that
//! hold while it is read, so that no claim of the archive about itself has to be believed.

use super::folder::words;
use super::{Bounds, too_much};
use crate::fault::Failure;
use loci_domain::fault::Fault;
use loci_memory::import::{MANIFEST, Source};
use std::io::{self, Read};
use std::path::Path;
use tar::EntryType;

/// The largest window that an archive may ask for, as a power of two: 128 MiB.
const WINDOW: u32 = 27;

/// Every file of the archive, in its order.
pub fn read(file: &Path, bounds: &Bounds) -> Result<Vec<Source>, Failure> {
    let mut unpacked = zstd::stream::read::Decoder::new(std::fs::File::open(file)?)?;
    unpacked.window_log_max(WINDOW)?;
    let mut archive = tar::Archive::new(Bounded { inner: unpacked, left: bounds.all });
    let mut sources = Vec::new();
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        if sources.len() >= bounds.entries {
            return Err(too_much(&format!("it holds more than {} files", bounds.entries)));
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = name.trim_start_matches("./").to_owned();
        let hidden = path.split('/').any(|name| name.starts_with('.') && ![".", ".."].contains(&name));
        let text = match entry.header().entry_type() {
            EntryType::Directory => continue,
            EntryType::Regular | EntryType::Continuous if hidden && path != MANIFEST => continue,
            EntryType::Regular | EntryType::Continuous => {
                let mut bytes = Vec::new();
                entry.by_ref().take(bounds.file + 1).read_to_end(&mut bytes).map_err(broken)?;
                words(bytes, bounds)
            }
            _ => Err("links and devices are not followed".to_owned()),
        };
        sources.push(Source { path, text });
    }
    Ok(sources)
}

/// A reader that ends with an error before it gives more than it may.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        Ok(read)
    }
}

fn broken(error: io::Error) -> Failure {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(at) = cause {
        if at.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge) {
            return too_much("it unpacks to more than memory can hold");
        }
        cause = at.source();
    }
    let text = format!("the archive cannot be read: {error}; nothing was imported");
    Failure::new(Fault::Invalid, "invalid_archive", text)
}
