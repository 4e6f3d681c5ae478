//! A command that ran to its end, within bounds.

use serde_json::Value;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// No command of a test takes longer.
const LONGEST: Duration = Duration::from_secs(45);

/// What a command said, and how it ended.
#[derive(Debug)]
pub struct Ran {
    /// The command, for messages.
    pub shown: String,
    /// Its exit code; `None` = a signal ended it.
    pub exit: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

impl Ran {
    /// Runs a command with this input; one that hangs is killed and fails the test.
    pub fn of(mut command: Command, input: &[u8]) -> Ran {
        let shown = format!("{command:?}");
        let start = Instant::now();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
        // Who does not read its input is not to blame here.
        let fed = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let stdout = read(child.stdout.take().unwrap());
        let stderr = read(child.stderr.take().unwrap());
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if start.elapsed() > LONGEST => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    panic!("{shown} hung");
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let took = start.elapsed();
        fed.join().unwrap();
        Ran { shown, exit: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap(), took }
    }

    /// Its output; it must have succeeded.
    pub fn ok(&self) -> String {
        assert_eq!(self.exit, Some(0), "{} failed: {}{}", self.shown, self.stdout, self.stderr);
        self.stdout.clone()
    }

    /// Its `{"error","code"}`; it must have failed with this code.
    pub fn failed(&self, exit: i32) -> Value {
        assert_eq!(self.exit, Some(exit), "{}: {}{}", self.shown, self.stdout, self.stderr);
        let last = self.stderr.lines().last().unwrap_or_default();
        let value: Value =
            serde_json::from_str(last).unwrap_or_else(|_| panic!("{}: no JSON error: {}", self.shown, self.stderr));
        assert!(value["error"].is_string() && value["code"].is_string(), "{value}");
        value
    }

    /// The lines of its output as JSON.
    pub fn answers(&self) -> Vec<Value> {
        let lines = self.stdout.lines().filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line:?}"))).collect()
    }
}

fn read(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
