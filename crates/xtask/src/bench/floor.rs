//! What this machine needs at the least: for a durable file, and for a process.

use super::{corpus, timed};
use crate::repo;
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
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

/// A program that says hello, built by the compiler that builds Loci.
const HELLO: &str = "fn main() { println!(\"hello, world\"); }\n";

/// One start of it, and how long it took until it was gone.
pub fn spawn() -> Result<Duration> {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let hello = match BUILT.get() {
        Some(hello) => hello,
        None => {
            let built = hello_world()?;
            BUILT.get_or_init(|| built)
        }
    };
    let work = || {
        let output = Command::new(hello).stdin(Stdio::null()).output().context("hello-world")?;
        ensure!(output.status.success(), "hello-world ended with {}", output.status);
        Ok(())
    };
    timed(work).map(|((), took)| took)
}

fn hello_world() -> Result<PathBuf> {
    let folder = repo::root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let (source, program) = (folder.join("hello.rs"), folder.join("hello"));
    fs::write(&source, HELLO)?;
    let built = Command::new("rustc").args(["-O", "-o"]).arg(&program).arg(&source).status().context("rustc")?;
    ensure!(built.success(), "rustc ended with {built}");
    Ok(program)
}
