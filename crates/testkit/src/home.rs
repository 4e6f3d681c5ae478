//! One person's machine in a temporary folder: a home, a checkout, and the real binary between them.
//!
//! Nothing of the machine that runs the tests reaches it: no settings, no home, no colours, no other project.
//! On drop it looks for what no command may leave behind: unfinished files.

mod ran;
mod tool;

pub use ran::Ran;
pub use tool::Tool;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Settings of the person who runs the tests that must not reach the binary.
const FOREIGN: [&str; 5] = ["LOCI_", "XDG_", "GIT_", "RUST_", "NEXTEST"];

/// A home, a checkout and a binary.
pub struct Home {
    dir: TempDir,
    binary: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl Home {
    /// A fresh machine; nothing but an empty repository is there.
    pub fn new(binary: &str) -> Home {
        let dir = tempfile::Builder::new().prefix("loci-it-").tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let machine =
            Home { dir, binary: PathBuf::from(binary), home: top.join("home"), project: top.join("checkout") };
        machine.repository("checkout");
        machine
    }

    /// The same machine with its home elsewhere: on another file system.
    pub fn with_home(mut self, home: PathBuf) -> Home {
        self.home = home;
        self
    }

    /// The folder that holds everything, for things beside the home.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// `LOCI_HOME`.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The checkout in which commands run.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The binary.
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The folder of the global scope.
    pub fn global(&self) -> PathBuf {
        self.home.join("memory")
    }

    /// The one folder of host-local project memory that exists.
    pub fn project_memory(&self) -> PathBuf {
        let mut found: Vec<PathBuf> = std::fs::read_dir(self.home.join("projects"))
            .map(|entries| entries.map(|entry| entry.unwrap().path().join("memory")).collect())
            .unwrap_or_default();
        found.retain(|folder| folder.is_dir());
        assert_eq!(found.len(), 1, "one project has memory: {found:?}");
        found.remove(0)
    }

    /// A new repository beside the checkout.
    pub fn repository(&self, name: &str) -> PathBuf {
        let folder = self.dir().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        self.git(&folder, &["init", "-q", "-b", "main"]);
        folder
    }

    /// Runs git as nobody in particular.
    pub fn git(&self, at: &Path, args: &[&str]) {
        let mut git = Command::new("git");
        self.environment(&mut git);
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(args).current_dir(at);
        let done = git.output().unwrap();
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Gives a program the environment of this machine and nothing else of the tests' own.
    pub fn environment(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            if FOREIGN.iter().any(|foreign| name.to_string_lossy().starts_with(foreign)) {
                command.env_remove(name);
            }
        }
        command.env_remove("EDITOR").env_remove("VISUAL");
        command.env("HOME", self.dir()).env("LOCI_HOME", &self.home);
        command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").current_dir(&self.project);
    }

    /// Any program on this machine.
    pub fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        self.environment(&mut command);
        command
    }

    /// `loci ARGS`, not started yet.
    pub fn loci(&self, args: &[&str]) -> Command {
        let mut command = self.program(&self.binary);
        command.args(args);
        command
    }

    /// Runs `loci ARGS`.
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.loci(args), b"")
    }

    /// Runs `loci ARGS` in another directory.
    pub fn run_in(&self, directory: &Path, args: &[&str]) -> Ran {
        let mut command = self.loci(args);
        command.current_dir(directory);
        Ran::of(command, b"")
    }

    /// Runs `loci ARGS`, which must succeed; answers what it printed.
    pub fn ok(&self, args: &[&str]) -> String {
        self.run(args).ok()
    }

    /// Runs `loci ARGS --json`, which must succeed; answers its value.
    pub fn json(&self, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        serde_json::from_str(&ran.ok()).unwrap()
    }

    /// Runs `loci ARGS --json`, which must fail with this exit code; answers its `{"error","code"}`.
    pub fn fails(&self, args: &[&str], exit: i32) -> Value {
        self.run(&[args, &["--json"]].concat()).failed(exit)
    }

    /// Runs tool calls in one process, with flags; one answer each.
    pub fn tools_with(&self, flags: &[&str], calls: &[Value]) -> Vec<Value> {
        let ran = Ran::of(self.loci(&[&["tool"], flags].concat()), lines(calls).as_bytes());
        let answers = ran.answers();
        assert_eq!(answers.len(), calls.len(), "one answer a call; stderr: {}", ran.stderr);
        answers
    }

    /// Runs tool calls in one process; one answer each.
    pub fn tools(&self, calls: &[Value]) -> Vec<Value> {
        self.tools_with(&[], calls)
    }

    /// One tool call that must succeed; answers its words.
    pub fn did(&self, call: Value) -> String {
        done(&call, &self.tools(std::slice::from_ref(&call))[0])
    }

    /// One tool call that must fail; answers its words.
    pub fn refused(&self, call: Value) -> String {
        refusal(&call, &self.tools(std::slice::from_ref(&call))[0])
    }

    /// Creates a file by the tool.
    pub fn create(&self, path: &str, text: &str) {
        self.did(create(path, text));
    }

    /// A `loci tool` that stays, fed call by call.
    pub fn tool(&self, flags: &[&str]) -> Tool {
        Tool::start(self.loci(&[&["tool"], flags].concat()))
    }

    /// `loci list --json` by path.
    pub fn list(&self) -> BTreeMap<String, Value> {
        by_path(&self.json(&["list"]))
    }

    /// One row of `loci list`.
    pub fn row(&self, path: &str) -> Value {
        let listed = self.list();
        listed.get(path).unwrap_or_else(|| panic!("{path} is not listed: {:?}", listed.keys())).clone()
    }

    /// All changes of `loci log`, newest first.
    pub fn log(&self) -> Vec<Value> {
        changes(&self.json(&["log", "--limit", "100000"]))
    }

    /// Writes a file below the home as a person's editor does: past Loci.
    pub fn edit(&self, inside: &str, text: &str) -> PathBuf {
        write(&self.home.join(inside), text)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let left: Vec<PathBuf> = [self.home(), self.project()].into_iter().flat_map(unfinished).collect();
        assert!(left.is_empty(), "unfinished files were left behind: {left:?}");
    }
}

/// Writes a file, making its folders.
pub fn write(file: &Path, text: &str) -> PathBuf {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
    file.to_owned()
}

/// Every regular file below a folder by its path in it, hidden ones too; links and odd nodes are left out.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    walk(folder, &mut |path, kind| {
        if kind.is_file() {
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            files.insert(name, std::fs::read(path).unwrap());
        }
    });
    files
}

/// The documents below a folder: [`tree`] without hidden files and the index, as text.
pub fn documents(folder: &Path) -> BTreeMap<String, String> {
    let shown = |name: &str| name != "MEMORY.md" && !name.split('/').any(|segment| segment.starts_with('.'));
    let files = tree(folder).into_iter().filter(|(name, _)| shown(name));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// Parts of unfinished work below a folder.
pub fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(folder, &mut |path, _| {
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".loci-")) {
            found.push(path.to_owned());
        }
    });
    found
}

/// Visits every node below a folder, folders before what is in them; what vanishes meanwhile is skipped.
pub fn walk(folder: &Path, visit: &mut dyn FnMut(&Path, std::fs::FileType)) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let Ok(kind) = entry.file_type() else { continue };
        visit(&entry.path(), kind);
        if kind.is_dir() {
            walk(&entry.path(), visit);
        }
    }
}

/// Calls as the tool reads them.
pub fn lines(calls: &[Value]) -> String {
    calls.iter().map(|call| format!("{call}\n")).collect()
}

/// A `create` call.
pub fn create(path: &str, text: &str) -> Value {
    json!({"command": "create", "path": path, "file_text": text})
}

/// The rows of a list answer by path.
pub fn by_path(answer: &Value) -> BTreeMap<String, Value> {
    let files = answer["files"].as_array().unwrap();
    files.iter().map(|file| (file["path"].as_str().unwrap().to_owned(), file.clone())).collect()
}

/// The changes of a log or undo answer.
pub fn changes(answer: &Value) -> Vec<Value> {
    answer["changes"].as_array().unwrap().clone()
}

/// The words of an answer that must be a success.
pub fn done(call: &Value, answer: &Value) -> String {
    assert_eq!(answer["success"], json!(true), "{call} failed: {answer}");
    answer["output"].as_str().unwrap().to_owned()
}

/// The words of an answer that must be a failure.
pub fn refusal(call: &Value, answer: &Value) -> String {
    assert_eq!(answer["success"], json!(false), "{call} should fail: {answer}");
    answer["error"].as_str().unwrap().to_owned()
}
