//! A `.tar.gz` whose bytes say nothing but what is in it.
//!
//! Owns order, times, owners and modes. Never reads a file.

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

/// A file of the archive.
pub struct Entry {
    /// Below the folder that the archive unpacks to.
    pub path: String,
    pub bytes: Vec<u8>,
    mode: u32,
}

impl Entry {
    /// A file that everybody may read.
    pub fn file(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { path: path.to_owned(), bytes, mode: 0o644 }
    }

    /// A file that everybody may run.
    pub fn program(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { path: path.to_owned(), bytes, mode: 0o755 }
    }
}

/// Packs the entries below one folder, by path, all of one time and of nobody in particular.
pub fn pack(folder: &str, mut entries: Vec<Entry>, time: u64) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    // Neither a name nor a time in gzip's own header.
    let gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut archive = Builder::new(gzip);
    for Entry { path, bytes, mode } in entries {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(mode);
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("{folder}/{path}"), bytes.as_slice()).with_context(|| path.clone())?;
    }
    Ok(archive.into_inner()?.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn entries() -> Vec<Entry> {
        vec![Entry::file("b/two.md", b"two".to_vec()), Entry::program("bin/loci", vec![0, 159])]
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let mut turned = entries();
        turned.reverse();
        assert_eq!(pack("loci-1", entries(), 7).unwrap(), pack("loci-1", turned, 7).unwrap());
    }

    #[test]
    fn what_goes_in_comes_out() {
        let packed = pack("loci-1", entries(), 7).unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(packed.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let header = entry.header();
            let owner = (header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap());
            assert_eq!(owner, (0, 0, 7));
            found.push((entry.path().unwrap().display().to_string(), header.mode().unwrap(), bytes));
        }
        let expected = [("loci-1/b/two.md", 0o644, b"two".to_vec()), ("loci-1/bin/loci", 0o755, vec![0, 159])];
        assert_eq!(found, expected.map(|(path, mode, bytes)| (path.to_owned(), mode, bytes)));
    }
}
