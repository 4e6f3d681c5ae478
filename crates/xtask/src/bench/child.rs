//! A running `loci tool`, or another server on two pipes: one JSON call in, one answer out.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The process and its two pipes.
pub struct Tool {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What the tool said.
pub struct Answer {
    /// Whether the call did what it should.
    pub success: bool,
    /// Its output or its error.
    pub text: String,
}

#[derive(Deserialize)]
struct Line {
    success: bool,
    output: Option<String>,
    error: Option<String>,
}

impl Tool {
    /// Starts the command with pipes.
    pub fn start(mut command: Command) -> Result<Tool> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("start loci tool")?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("no pipe")?);
        Ok(Tool { child, input, output })
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes one line; `false` when the process is gone.
    pub fn say(&mut self, line: &Value) -> Result<bool> {
        let line = format!("{line}\n");
        let Some(input) = self.input.as_mut() else { return Ok(false) };
        // A process that was killed takes its pipe along.
        Ok(input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_ok())
    }

    /// Reads one line; `None` when the process is gone.
    pub fn hear(&mut self) -> Result<Option<String>> {
        let mut answer = String::new();
        let read = self.output.read_line(&mut answer)?;
        // Half a line was never an answer.
        Ok((read > 0 && answer.ends_with('\n')).then_some(answer))
    }

    /// One call and its answer; `None` when the process is gone.
    pub fn call(&mut self, call: &Value) -> Result<Option<Answer>> {
        if !self.say(call)? {
            return Ok(None);
        }
        let Some(answer) = self.hear()? else { return Ok(None) };
        let Line { success, output, error } = serde_json::from_str(&answer).with_context(|| answer.clone())?;
        Ok(Some(Answer { success, text: output.or(error).unwrap_or_default() }))
    }

    /// Closes its input and waits for it.
    pub fn end(mut self) -> Result<()> {
        drop(self.input.take());
        let status = self.child.wait()?;
        ensure!(status.success(), "loci tool ended with {status}");
        Ok(())
    }

    /// Waits for a process that somebody killed.
    pub fn bury(mut self) -> Result<()> {
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        // Only after an error: a process that has ended ignores both.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
