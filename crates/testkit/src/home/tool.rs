//! A `loci tool` that stays: one call, one answer, as often as wanted.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `loci tool`; killed when dropped.
pub struct Tool {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Tool {
    /// Starts it.
    pub fn start(mut command: Command) -> Tool {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Tool { child, stdin, stdout }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// One call; `None` when the process is gone before it answered.
    pub fn call(&mut self, call: &Value) -> Option<Value> {
        writeln!(self.stdin.as_mut()?, "{call}").ok()?;
        let mut line = String::new();
        self.stdout.read_line(&mut line).ok()?;
        // A line that a kill cut off was not answered.
        if line.ends_with('\n') { serde_json::from_str(&line).ok() } else { None }
    }

    /// Ends it by closing its input; answers its exit code.
    pub fn finish(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
