//! `bash`: a command in the workspace, in the sandbox.
//!
//! Where the files lie elsewhere they are lent to the command, and its changes go back; a conflict is told, and the
//! other changes are kept. A turn that lost its conversation while the command ran gives nothing back.

use crate::fence::Fence;
use crate::files::Files;
use crate::loan::{Loan, Returned};
use crate::sandbox::{End, Ran, Sandbox};
use crate::{Error, Result, Runtime};

pub async fn bash(runtime: &Runtime, fence: Fence<'_>, files: &Files, command: &str) -> Result<String> {
    let sandbox = runtime.sandbox();
    if command.trim().is_empty() || command.contains('\0') {
        return Err(Error::File("command must be a text that says something".to_owned()));
    }
    if !sandbox.works().await {
        return Err(Error::File("bash is not offered here: this machine has no working bubblewrap".to_owned()));
    }
    if let Some(folder) = &files.folder {
        let ran = sandbox.run(folder, command).await?;
        fence.passed().await?;
        return told(sandbox, ran);
    }
    let loan = Loan::take(files, runtime.home()).await?;
    let ran = match sandbox.run(&loan.folder(), command).await {
        Ok(ran) => fence.passed().await.map(|_| ran),
        Err(error) => Err(error),
    };
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => {
            loan.end().await;
            return Err(error);
        }
    };
    let told = told(sandbox, ran);
    match (loan.give_back(files).await, told) {
        (Ok(returned), told) => noted(told, &returned),
        (Err(error), Ok(text) | Err(Error::File(text))) => Err(Error::File(with_line(text, &format!("[{error}]")))),
        (Err(error), Err(_)) => Err(error),
    }
}

/// What it printed; a command that did not end well is no success.
fn told(sandbox: &Sandbox, ran: Ran) -> Result<String> {
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
    Err(Error::File(with_line(text, &why)))
}

/// The same with what became of the changes; a conflict is no success.
fn noted(told: Result<String>, returned: &Returned) -> Result<String> {
    /// Names that are told.
    const SHOWN: usize = 50;
    let list = |names: &mut dyn Iterator<Item = String>, all: usize| {
        let more = if all > SHOWN { format!(" and {} more", all - SHOWN) } else { String::new() };
        format!("{}{more}", names.take(SHOWN).collect::<Vec<_>>().join(", "))
    };
    let mut notes = Vec::new();
    if !returned.refused.is_empty() {
        let names = list(&mut returned.refused.iter().cloned(), returned.refused.len());
        notes.push(format!(
            "[not kept, for a workspace has no links, odd files or names, or files of others in memory/: {names}]"
        ));
    }
    if !returned.conflicts.is_empty() {
        let names = list(&mut returned.conflicts.iter().map(ToString::to_string), returned.conflicts.len());
        notes.push(format!(
            "[conflict: somebody else changed {names} meanwhile, so it is as they left it; all other changes are kept. Read it again]"
        ));
    }
    let add = |text: String| notes.iter().fold(text, |text, note| with_line(text, note));
    match told {
        Ok(text) if returned.conflicts.is_empty() => Ok(add(text)),
        Ok(text) | Err(Error::File(text)) => Err(Error::File(add(text))),
        Err(error) => Err(error),
    }
}

fn with_line(text: String, line: &str) -> String {
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{line}")
}
