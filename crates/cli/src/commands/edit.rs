//! `loci edit`: a memory in the person's editor; saved only if nobody changed it meanwhile.

use super::Outcome;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, green, line};
use loci_domain::digest::Digest;
use loci_domain::fault::Fault;
use loci_domain::secrets::Policy;
use loci_store::lock::private_dirs;
use serde_json::json;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const NEW: &str = "---\nname: \ndescription: \ntype: user\n---\n";

pub async fn run(app: &App, output: Output, path: &str, allow_secret: bool) -> Outcome {
    app.memory.may_change(path)?;
    let (before, seen) = match app.memory.show(path).await {
        Ok(shown) => (shown.content.clone(), Some(Digest::of(shown.content.as_bytes()))),
        Err(loci_memory::Error::Missing(_)) => (NEW.to_owned(), None),
        Err(error) => return Err(error.into()),
    };
    let draft = draft(&app.places.home, path, &before)?;
    edit(&draft, &before)?;
    let after = std::fs::read_to_string(&draft).map_err(|error| {
        let text = format!("the editor left no text ({error}); what it left is in {}", draft.display());
        Failure::new(Fault::Invalid, "not_text", text)
    })?;
    if after == before {
        std::fs::remove_file(&draft)?;
        output.answer(&json!({"path": path, "changed": false}), || line("nothing changed"));
        return Ok(ExitCode::SUCCESS);
    }
    let policy = if allow_secret { Policy::Allow } else { Policy::Refuse };
    match app.memory.save(path, after, seen, policy).await {
        Ok(sha256) => {
            std::fs::remove_file(&draft)?;
            output.answer(&json!({"path": path, "changed": true, "sha256": sha256}), || {
                line(&format!("{} {path}", green("saved")))
            });
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let mut failure = Failure::from(error);
            failure.message += &format!("; your text is kept in {}", draft.display());
            Err(failure)
        }
    }
}

/// A private copy to work on, with a name that tells editors it is Markdown.
fn draft(home: &Path, path: &str, text: &str) -> Result<PathBuf, Failure> {
    let folder = home.join("drafts");
    private_dirs(&folder)?;
    let name = path.rsplit('/').next().unwrap_or("memory.md");
    let file = folder.join(format!("{}-{name}", loci_store::store::fresh_id()));
    let mut draft = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file)?;
    draft.write_all(text.as_bytes())?;
    Ok(file)
}

/// Opens `$VISUAL` or `$EDITOR` by the shell, as git does: it may hold arguments, and quotes. Waits for it.
fn edit(draft: &Path, before: &str) -> Result<(), Failure> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let shell = Command::new("sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor).arg(draft).status();
    let absent = |why: String| {
        Failure::new(Fault::Offline, "no_editor", format!("the editor {editor:?} does not start ({why}); set EDITOR"))
    };
    let status = shell.map_err(|error| absent(error.to_string()))?;
    if status.success() {
        return Ok(());
    }
    // What the shell says of a command that it does not find, or may not run.
    if matches!(status.code(), Some(126 | 127)) && std::fs::read_to_string(draft).is_ok_and(|text| text == before) {
        let _ = std::fs::remove_file(draft);
        return Err(absent(status.to_string()));
    }
    let kept = draft.display();
    Err(Failure::new(
        Fault::Upstream,
        "editor_failed",
        format!("the editor ended with {status}; nothing was saved, your text is kept in {kept}"),
    ))
}
