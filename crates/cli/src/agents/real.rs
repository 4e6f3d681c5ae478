//! Configuration files as they lie on disk: links are followed to what they name, and a write is whole or not at all.

use super::reach::Level;
use crate::fault::Failure;
use loci_domain::fault::Fault;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A configuration that is larger is none.
const LARGEST: u64 = 32 << 20;

/// A file as it was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// What it is called.
    pub path: PathBuf,
    /// Where its bytes lie: people keep their configuration in other places, and link to it.
    pub real: PathBuf,
    /// Its text; `None` = it is not there.
    pub text: Option<String>,
}

/// Reads a file, if it is there.
pub fn read(path: &Path, shown: &str) -> Result<Found, Failure> {
    let refuse =
        |what: &str| Failure::new(Fault::Invalid, "invalid_config", format!("{shown} {what}; nothing was changed"));
    let real = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Found { path: path.to_owned(), real: path.to_owned(), text: None });
        }
        Err(error) => return Err(refuse(&format!("cannot be read ({error})"))),
        Ok(_) => path.canonicalize().map_err(|_| refuse("is a link that leads nowhere"))?,
    };
    let meta = fs::metadata(&real).map_err(|error| refuse(&format!("cannot be read ({error})")))?;
    if !meta.is_file() {
        return Err(refuse("is no file"));
    }
    if meta.len() > LARGEST {
        return Err(refuse("is larger than 32 MiB"));
    }
    let bytes = fs::read(&real).map_err(|error| refuse(&format!("cannot be read ({error})")))?;
    let text = String::from_utf8(bytes).map_err(|_| refuse("is not a text file"))?;
    Ok(Found { path: path.to_owned(), real, text: Some(text) })
}

/// The folders above a file that are not there, outermost first.
pub fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let mut folders: Vec<PathBuf> = above.map(Path::to_owned).collect();
    folders.reverse();
    folders
}

/// Puts new text in the place of what was found, if that still is what was found.
pub fn write(found: &Found, text: &str, level: Level, shown: &str) -> Result<(), Failure> {
    let folder = found.real.parent().unwrap_or(Path::new("/"));
    // A project's files are read by others; a person's own are not.
    let (file_mode, folder_mode) = match level {
        Level::User => (0o600, 0o700),
        Level::Project => (0o666, 0o777),
    };
    DirBuilder::new().recursive(true).mode(folder_mode).create(folder).map_err(|error| cannot(shown, &error))?;
    let temporary = folder.join(format!(".loci-{}.tmp", loci_store::store::fresh_id()));
    let done = (|| {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(file_mode).open(&temporary)?;
        file.write_all(text.as_bytes())?;
        if let Ok(meta) = fs::metadata(&found.real) {
            file.set_permissions(PermissionsExt::from_mode(meta.mode() & 0o7777))?;
            // Only the administrator may give a file to its owner back; for all others it is theirs already.
            let _ = std::os::unix::fs::fchown(&file, Some(meta.uid()), Some(meta.gid()));
        }
        file.sync_all()
    })();
    let put = done.map_err(|error| cannot(shown, &error)).and_then(|()| {
        unchanged(found, shown)?;
        fs::rename(&temporary, &found.real).map_err(|error| cannot(shown, &error))
    });
    if put.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    put?;
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes a file, if it still is what was found.
pub fn remove(found: &Found, shown: &str) -> Result<(), Failure> {
    unchanged(found, shown)?;
    fs::remove_file(&found.real).map_err(|error| cannot(shown, &error))
}

/// Removes folders that were made for a file and hold nothing any more.
pub fn remove_folders(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // A folder with something in it stays: `remove_dir` takes empty ones only.
        let _ = fs::remove_dir(folder);
    }
}

fn unchanged(found: &Found, shown: &str) -> Result<(), Failure> {
    let now = match fs::read(&found.real) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(cannot(shown, &error)),
    };
    if now.as_deref() == found.text.as_ref().map(String::as_bytes) {
        return Ok(());
    }
    Err(Failure::new(Fault::Conflict, "conflict", format!("{shown} was changed meanwhile; try again")))
}

fn cannot(shown: &str, error: &std::io::Error) -> Failure {
    Failure::from(anyhow::anyhow!("{shown} cannot be written: {error}"))
}
