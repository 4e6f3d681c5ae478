//! `loci remember`: a statement becomes memory.

use super::Outcome;
use crate::args::RememberArgs;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, dim, green, line, print, progress};
use loci_domain::fault::Fault;
use loci_domain::secrets::Policy;
use loci_llm::Role;
use loci_memory::remember::{ContextMode, Remember};
use serde_json::json;
use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;

/// What is read from stdin at most: white space around a statement is no part of it, but there is an end to patience.
const LARGEST_INPUT: u64 = 16 << 20;

pub async fn run(app: &App, output: Output, args: RememberArgs) -> Outcome {
    let ask = Remember {
        content: if args.text == "-" { stdin()? } else { args.text },
        context: if args.clean { ContextMode::Clean } else { ContextMode::Workspace },
        scope: args.scope,
        kind: args.r#type,
        secrets: if args.allow_secret { Policy::Allow } else { Policy::Refuse },
        turns: app.config.number("agent.turns") as usize,
        time: Duration::from_secs(app.config.number("agent.seconds")),
    };
    let memory = app.verbs()?;
    if args.show_prompt {
        let prompt = memory.remember_prompt(ask).await?;
        output.answer(&json!({"prompt": prompt}), || print(&prompt));
        return Ok(ExitCode::SUCCESS);
    }
    if memory.models().has(Role::Default) {
        progress(output, "asking the model…");
    }
    let remembered = memory.remember(ask).await?;
    if let Some(reason) = &remembered.degraded {
        output.warn(&format!("{reason}; remembered by rules"));
    }
    output.answer(&remembered, || {
        line(&green(&remembered.summary));
        let changed = remembered.diff.lines().filter(|text| !text.starts_with(['@', '\\']));
        changed.take(40).for_each(|text| line(&format!("  {}", dim(text))));
        if !remembered.files_touched.is_empty() {
            line(&dim("loci undo takes it back"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// What comes on stdin, all of it.
pub fn stdin() -> Result<String, Failure> {
    let mut text = Vec::new();
    std::io::stdin().lock().take(LARGEST_INPUT + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST_INPUT {
        return Err(Failure::new(Fault::Invalid, "invalid_content", "stdin holds more than 16 MiB"));
    }
    String::from_utf8(text).map_err(|_| Failure::new(Fault::Invalid, "invalid_content", "stdin is no UTF-8 text"))
}
