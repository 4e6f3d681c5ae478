//! Where a transcript is read from: a file, or for OpenCode the folders that it keeps a session in.
//!
//! Owns how a transcript that somebody names is opened: a regular file, never through a link, never waiting for a pipe.

use super::opencode::Storage;
use jiff::Timestamp;
use loci_domain::transcript::Format;
use rustix::fs::{Mode, OFlags};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// The bytes of a transcript, from the start as often as it takes.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// A transcript that can be read.
pub struct Opened {
    /// Its bytes.
    pub source: Box<dyn Source>,
    /// How large the file is.
    pub bytes: u64,
    /// When it was last changed.
    pub changed_at: Timestamp,
}

/// Opens a transcript. What is no regular file is [`io::ErrorKind::InvalidInput`].
pub fn open(path: &Path, format: Format) -> io::Result<Opened> {
    let file = regular(path)?;
    let about = file.metadata()?;
    let changed_at = about.modified().ok().and_then(|at| Timestamp::try_from(at).ok()).unwrap_or_else(Timestamp::now);
    let storage = if format == Format::OpenCode { Storage::of(path) } else { None };
    let source: Box<dyn Source> = match storage {
        Some(storage) => Box::new(storage),
        None => Box::new(file),
    };
    Ok(Opened { source, bytes: about.len(), changed_at })
}

/// Opens a regular file; never waits for a pipe, never follows a link.
pub(super) fn regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"))
}
