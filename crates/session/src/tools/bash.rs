//! `bash`: a command in the workspace, in the sandbox.

use crate::files::Files;
use crate::sandbox::{End, Sandbox};
use crate::{Error, Result};

pub async fn bash(sandbox: &Sandbox, files: &Files, command: &str) -> Result<String> {
    if command.trim().is_empty() || command.contains('\0') {
        return Err(Error::File("command must be a text that says something".to_owned()));
    }
    if !sandbox.works().await {
        return Err(Error::File("bash is not offered here: this machine has no working bubblewrap".to_owned()));
    }
    let ran = sandbox.run(&files.folder, command).await?;
    let mut text = ran.output;
    if ran.cut > 0 {
        text.push_str(&format!("\n[cut: {} more bytes over the limit of output]", ran.cut));
    }
    let why = match ran.end {
        End::Exit(0) => return Ok(if text.is_empty() { "[exit code 0, no output]".to_owned() } else { text }),
        End::Exit(code) => format!("[exit code {code}]"),
        End::Killed => "[the command was killed]".to_owned(),
        End::Time => format!("[ended: over the time limit of {} s]", sandbox.limits().time.as_secs()),
        End::Processes => format!("[ended: over the limit of {} processes]", sandbox.limits().processes),
    };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    Err(Error::File(format!("{text}{gap}{why}")))
}
