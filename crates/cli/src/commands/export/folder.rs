//! An export as a folder. A second one brings it up to date, and leaves alone what somebody changed in it.

use super::archive::fill;
use super::{Kept, Manner, Written, occupied};
use crate::fault::Failure;
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_memory::export::Exported;
use loci_memory::import::{MANIFEST, Manifest};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Brings a folder up to date.
pub fn write(target: &Path, exported: &Exported, manner: Manner) -> Result<Written, Failure> {
    let cannot = |error: io::Error| Failure::from(anyhow::anyhow!("{} cannot be written: {error}", target.display()));
    let earlier = earlier(target, manner)?;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(target).map_err(cannot)?;
    let mut written = Written::default();
    for (path, bytes) in exported.files.iter().filter(|(path, _)| *path != MANIFEST) {
        let kept = |reason: &str| Kept { path: path.clone(), reason: reason.to_owned() };
        let Some(file) = inside(target, path).map_err(cannot)? else {
            written.refused.push(kept("a link or another file is in the way"));
            continue;
        };
        match read(&file).map_err(cannot)? {
            Some(there) if there == *bytes => {
                written.unchanged += 1;
                continue;
            }
            Some(there) if manner == Manner::Careful && !is_ours(&earlier, path, &there) => {
                written.refused.push(kept("it was changed since the last export"));
                continue;
            }
            Some(_) => written.updated += 1,
            None => written.created += 1,
        }
        save(&file, bytes).map_err(cannot)?;
    }
    // What could not be read is not gone.
    let gone = |path: &&String| exported.refused.is_empty() && !exported.files.contains_key(*path);
    for path in earlier.files.keys().filter(gone) {
        let Some(file) = inside(target, path).map_err(cannot)? else { continue };
        if read(&file).map_err(cannot)?.is_some_and(|there| is_ours(&earlier, path, &there)) {
            fs::remove_file(&file).map_err(cannot)?;
            written.removed += 1;
        }
    }
    if let Some(manifest) = exported.files.get(MANIFEST) {
        save(&target.join(MANIFEST), manifest).map_err(cannot)?;
    }
    Ok(written)
}

/// What an earlier export left here; a folder of something else is refused.
fn earlier(target: &Path, manner: Manner) -> Result<Manifest, Failure> {
    let manifest = fs::read_to_string(target.join(MANIFEST)).ok().and_then(|text| Manifest::parse(&text));
    if let Some(manifest) = manifest {
        return Ok(manifest);
    }
    let empty = match fs::read_dir(target) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            let text = format!("{} is a file; name a folder, or an archive that ends in .tar.zst", target.display());
            return Err(Failure::new(Fault::Conflict, "conflict", text));
        }
        Err(error) => return Err(Failure::from(anyhow::anyhow!("{} cannot be read: {error}", target.display()))),
    };
    match manner {
        Manner::Careful if !empty => {
            Err(occupied(&format!("{} is not empty, and no export of Loci", target.display())))
        }
        Manner::Careful | Manner::Forced => Ok(Manifest::default()),
    }
}

fn is_ours(earlier: &Manifest, path: &str, there: &[u8]) -> bool {
    earlier.files.get(path).is_some_and(|digest| *digest == Digest::of(there).to_string())
}

/// The place of a file, with the folders to it; `None` where a link or a file bars the way.
fn inside(target: &Path, path: &str) -> io::Result<Option<PathBuf>> {
    // A manifest is text that anybody may have changed.
    if loci_domain::path::EntryPath::parse(path).is_err() {
        return Ok(None);
    }
    let mut at = target.to_owned();
    let mut names = path.split('/').peekable();
    while let Some(name) = names.next() {
        at.push(name);
        match fs::symlink_metadata(&at) {
            Ok(meta) if names.peek().is_some() && meta.is_dir() => {}
            Ok(meta) if names.peek().is_none() && meta.is_file() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if names.peek().is_some() {
                    fs::DirBuilder::new().mode(0o700).create(&at)?;
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Some(at))
}

fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts bytes in place, whole or not at all.
pub fn save(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = folder.join(format!(".loci-{}.tmp", loci_store::store::fresh_id()));
    let done = fill(&temporary, bytes).and_then(|()| fs::rename(&temporary, file));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}
