//! An export as one file. Equal memory makes equal bytes: no times, no owners, files in the order of their paths.

use super::{Manner, Written, occupied};
use crate::commands::import::ZSTD;
use crate::fault::Failure;
use loci_memory::export::Exported;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Enough for text; more costs time and brings little.
const LEVEL: i32 = 9;

/// Writes the archive, whole or not at all.
pub fn write(target: &Path, exported: &Exported, manner: Manner) -> Result<Written, Failure> {
    let packed = pack(exported)?;
    let documents = exported.manifest.files.len();
    let before = match std::fs::read(target) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::from(anyhow::anyhow!("{} cannot be read: {error}", target.display()))),
    };
    match before {
        Some(before) if before == packed => Ok(Written { unchanged: documents, ..Written::default() }),
        Some(before) if !before.starts_with(&ZSTD) && manner == Manner::Careful => {
            Err(occupied(&format!("{} is no archive of Loci", target.display())))
        }
        Some(_) => save(target, &packed).map(|()| Written { updated: documents, ..Written::default() }),
        None => save(target, &packed).map(|()| Written { created: documents, ..Written::default() }),
    }
}

fn pack(exported: &Exported) -> Result<Vec<u8>, Failure> {
    let mut tar = tar::Builder::new(zstd::stream::write::Encoder::new(Vec::new(), LEVEL)?);
    for (path, bytes) in &exported.files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, path, bytes.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

fn save(target: &Path, bytes: &[u8]) -> Result<(), Failure> {
    super::folder::save(target, bytes)
        .map_err(|error| Failure::from(anyhow::anyhow!("{} cannot be written: {error}", target.display())))
}

/// Writes and syncs a new file that nobody else may read.
pub fn fill(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut new = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
    new.write_all(bytes)?;
    new.sync_all()
}
