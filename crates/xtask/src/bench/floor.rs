//! What this machine needs at the least: for a durable file, and for a process.

use super::{corpus, timed};
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A folder in which files are written as durably as a memory is: write, fsync, rename, fsync of the folder.
pub struct Floor {
    folder: PathBuf,
    text: String,
    next: usize,
}

impl Floor {
    /// Makes the folder.
    pub fn new(folder: PathBuf) -> Result<Floor> {
        fs::create_dir_all(&folder)?;
        Ok(Floor { folder, text: corpus::document(0), next: 0 })
    }

    /// One durable file, and how long it took.
    pub fn write(&mut self) -> Result<Duration> {
        self.next += 1;
        let (unfinished, done) = (self.folder.join("unfinished"), self.folder.join(self.next.to_string()));
        let work = || -> Result<()> {
            let mut file = File::create(&unfinished)?;
            file.write_all(self.text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&unfinished, &done)?;
            File::open(&self.folder)?.sync_all()?;
            Ok(())
        };
        timed(work).map(|((), took)| took)
    }
}

/// One start of a program that does nothing, and how long it took until it was gone.
///
/// It is `/bin/true` and not a hello-world that would have to be compiled first; both do next to nothing.
pub fn spawn() -> Result<Duration> {
    let work = || {
        let output = Command::new("/bin/true").stdin(Stdio::null()).output().context("/bin/true")?;
        ensure!(output.status.success(), "/bin/true ended with {}", output.status);
        Ok(())
    };
    timed(work).map(|((), took)| took)
}
