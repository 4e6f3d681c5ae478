//! `kill -9` in the middle of writes, again and again, in one home.
//!
//! A writer makes new files and rewrites one file in turns. Then it is killed at a random moment, another process
//! starts, and the disk must hold exactly what was acknowledged, and perhaps the one call that was not.

use super::corpus::{self, Luck};
use super::figures::Figures;
use super::home::{Home, create};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The file that is rewritten.
const ROLLING: &str = "rolling.md";
/// Names of unfinished files start with this.
const UNFINISHED: &str = ".loci-";
/// Longest life of a writer after its first answer.
const LONGEST: usize = 60_000;

pub fn measure(rounds: usize, figures: &mut Figures) -> Result<()> {
    let home = Home::new()?;
    let mut luck = Luck::new(9);
    let mut told = Told::new(&home)?;
    let mut found = Found::default();
    println!("kill -9, {rounds} rounds");
    for _ in 0..rounds {
        let life = Duration::from_micros(luck.below(LONGEST) as u64);
        told.write_until_killed(&home, life)?;
        let mut tool = home.tool()?;
        let answer = tool.call(&json!({"command": "view", "path": "/memories/global"}))?.context("loci tool ended")?;
        ensure!(answer.success, "view after a kill: {}", answer.text);
        tool.end()?;
        told.compare(&home, &mut found)?;
    }
    let listed = home.loci(&["list", "--json"]).stdin(Stdio::null()).output()?;
    ensure!(listed.status.success(), "loci list ended with {}", listed.status);
    let mut left = BTreeSet::new();
    read(&home.global(""), &home.global(""), &mut BTreeMap::new(), &mut left)?;
    let what = "kill -9";
    figures.set("kill -9: rounds", None, rounds as f64, "");
    figures.set(&format!("{what}: writes acknowledged"), None, told.count as f64, "");
    figures.set(&format!("{what}: acknowledged and lost"), None, found.lost as f64, "");
    figures.set(&format!("{what}: torn files"), None, found.torn as f64, "");
    figures.set(
        &format!("{what}: stray files after the next start, which only views"),
        None,
        found.stray.len() as f64,
        "",
    );
    figures.set(&format!("{what}: stray files after `loci list`"), None, left.len() as f64, "");
    Ok(())
}

#[derive(Default)]
struct Found {
    lost: usize,
    torn: usize,
    /// By path, since one that stays is seen again in the next round.
    stray: BTreeSet<String>,
}

/// What was acknowledged, and the one call that may or may not have happened.
struct Told {
    files: BTreeMap<String, String>,
    open: Option<(String, String)>,
    next: usize,
    count: usize,
}

impl Told {
    fn new(home: &Home) -> Result<Told> {
        let mut tool = home.tool()?;
        let answer = tool.call(&create(ROLLING, &rolling(0)))?.context("loci tool ended")?;
        ensure!(answer.success, "create: {}", answer.text);
        tool.end()?;
        Ok(Told { files: BTreeMap::from([(ROLLING.to_owned(), rolling(0))]), open: None, next: 1, count: 0 })
    }

    fn write_until_killed(&mut self, home: &Home, life: Duration) -> Result<()> {
        let mut tool = home.tool()?;
        tool.call(&json!({"command": "view", "path": "/memories"}))?.context("loci tool ended")?;
        let process = tool.id();
        let killer = std::thread::spawn(move || {
            // The sleep is the experiment, not a way to wait for something.
            std::thread::sleep(life);
            Command::new("kill").args(["-9", &process.to_string()]).stdin(Stdio::null()).status()
        });
        loop {
            let (call, path, text) = self.turn();
            self.open = Some((path.clone(), text.clone()));
            self.next += 1;
            let Some(answer) = tool.call(&call)? else { break };
            ensure!(answer.success, "{call}: {}", answer.text);
            self.files.insert(path, text);
            self.open = None;
            self.count += 1;
        }
        ensure!(killer.join().is_ok_and(|status| status.is_ok_and(|status| status.success())), "kill did not work");
        tool.bury()
    }

    /// The next call, with the file that it leaves behind.
    fn turn(&self) -> (Value, String, String) {
        if self.next.is_multiple_of(2) {
            let path = format!("k{}/note-{}.md", self.next / 100, self.next);
            let text = corpus::document(self.next);
            return (create(&path, &text), path, text);
        }
        let now = self.files.get(ROLLING).and_then(|text| text.lines().next()).unwrap_or_default();
        let text = rolling(self.next);
        let new = text.lines().next().unwrap_or_default();
        let path = format!("/memories/global/{ROLLING}");
        (json!({"command": "str_replace", "path": path, "old_str": now, "new_str": new}), ROLLING.to_owned(), text)
    }

    /// Looks at the disk, and takes over what the killed call did.
    fn compare(&mut self, home: &Home, found: &mut Found) -> Result<()> {
        let mut disk = BTreeMap::new();
        let root = home.global("");
        read(&root, &root, &mut disk, &mut found.stray)?;
        if let Some((path, text)) = self.open.take()
            && disk.get(&path).is_some_and(|bytes| *bytes == text.as_bytes())
        {
            self.files.insert(path, text);
        }
        for (path, text) in &self.files {
            match disk.remove(path) {
                None => found.lost += 1,
                Some(bytes) if bytes == text.as_bytes() => {}
                // An earlier version in whole is a lost write; anything else is a torn one.
                Some(bytes) if bytes.starts_with(b"version ") && bytes.len() == text.len() => found.lost += 1,
                Some(_) => found.torn += 1,
            }
        }
        // What is left was never acknowledged and is not the whole of the open call either.
        found.torn += disk.len();
        Ok(())
    }
}

/// The text of the rolling file: the same length whatever the version.
fn rolling(version: usize) -> String {
    format!("version {version:08}\n{}", corpus::document(0))
}

/// Collects all files but the index, and apart from them the unfinished ones.
fn read(root: &Path, folder: &Path, files: &mut BTreeMap<String, Vec<u8>>, stray: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path().strip_prefix(root)?.to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            read(root, &entry.path(), files, stray)?;
        } else if name.starts_with(UNFINISHED) {
            stray.insert(path);
        } else if !name.starts_with('.') && name != "MEMORY.md" {
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}
