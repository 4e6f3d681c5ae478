//! What several topics need.

use loci_testkit::home::Home;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const G: &str = "/memories/global/";
pub const P: &str = "/memories/project/";

/// A fresh machine with the binary under test.
pub fn home() -> Home {
    Home::new(env!("CARGO_BIN_EXE_loci"))
}

/// A document as people write them.
pub fn doc(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: user\n---\n{body}\n")
}

pub fn view(path: &str) -> Value {
    json!({"command": "view", "path": path})
}

pub fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({"command": "str_replace", "path": path, "old_str": old, "new_str": new})
}

pub fn insert(path: &str, line: usize, text: &str) -> Value {
    json!({"command": "insert", "path": path, "insert_line": line, "insert_text": text})
}

pub fn delete(path: &str) -> Value {
    json!({"command": "delete", "path": path})
}

pub fn rename(old: &str, new: &str) -> Value {
    json!({"command": "rename", "old_path": old, "new_path": new})
}

/// Whether a change of the log is this one.
pub fn is_change(change: &Value, actor: &str, op: &str, path: &str) -> bool {
    change["actor"] == actor && change["op"] == op && change["path"] == path
}

/// Small numbers that look random and are the same in every run (xorshift).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// A file system of its own, in memory; unmounted when dropped.
pub struct Mount(pub PathBuf);

impl Mount {
    /// `None`, with a printed reason, where mounting is not permitted.
    pub fn new(at: &Path, bytes: usize) -> Option<Mount> {
        std::fs::create_dir_all(at).unwrap();
        let size = format!("size={bytes},mode=0700");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(at).output();
        match mounted {
            Ok(done) if done.status.success() => Some(Mount(at.to_owned())),
            Ok(done) => skip(&format!("no tmpfs can be mounted: {}", String::from_utf8_lossy(&done.stderr).trim())),
            Err(error) => skip(&format!("no tmpfs can be mounted: {error}")),
        }
    }

    pub fn remount(&self, options: &str) {
        let done = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Says why a test does nothing on this machine.
pub fn skip<T>(reason: &str) -> Option<T> {
    eprintln!("skipped: {reason}");
    None
}

/// Every file of a folder that holds these bytes, ledger and logs included.
pub fn holding(folder: &Path, needle: &str) -> Vec<String> {
    let files = loci_testkit::home::tree(folder);
    let holds = |bytes: &[u8]| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
    let named = |name: &str| name.contains(needle);
    files.into_iter().filter(|(name, bytes)| named(name) || holds(bytes)).map(|(name, _)| name).collect()
}

/// Memory must be whole: the doctor finds no fault and nothing unfinished is left.
pub fn assert_healthy(home: &Home) {
    let doctor = home.run(&["doctor", "--json"]);
    assert_eq!(doctor.exit, Some(0), "doctor: {}{}", doctor.stdout, doctor.stderr);
    let left = loci_testkit::home::unfinished(home.home());
    assert!(left.is_empty(), "unfinished files: {left:?}");
}

/// An executable script beside the home.
pub fn home_script(home: &Home, name: &str, body: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = loci_testkit::home::write(&home.dir().join(name), &format!("#!/bin/sh\n{body}\n"));
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    file
}
