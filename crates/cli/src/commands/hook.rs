//! `loci hook`: an agent's event in, its answer out; always exit 0.

use crate::args::{Common, HookArgs};
use crate::boot::{self, App, Damage};
use crate::fault::Failure;
use crate::hooks::{self, Deadline, Event, Haste, Hooks, What};
use crate::output::json_line;
use loci_domain::foreign;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Bytes of an event that are read; what is longer is none of a person's words.
const LARGEST: u64 = 32 << 20;

/// Answers an event. Whatever is wrong, an agent is never told so by the exit code: for some of them 2 is a veto.
pub async fn run(common: &Common, args: HookArgs) -> ExitCode {
    let since = Instant::now();
    // A panic would be an exit code too.
    std::panic::set_hook(Box::new(|_| std::process::exit(0)));
    if let (Some(name), Some(hooks)) = (&args.event, args.agent.as_deref().and_then(hooks::of)) {
        match answer(common, hooks, name, since).await {
            Ok(()) => {}
            Err(failure) => tracing::warn!(code = failure.code, "a hook has nothing to say: {}", failure.message),
        }
    }
    ExitCode::SUCCESS
}

async fn answer(common: &Common, agent: Hooks, name: &str, since: Instant) -> Result<(), Failure> {
    let haste = match name == agent.prompt {
        true if boot::home()?.join("loci.db").exists() => Haste::Prompt,
        true => Haste::FirstPrompt,
        false => Haste::Patient,
    };
    let deadline = Deadline::start(since, haste)?;
    let Some(event) = event(agent, name) else { return Ok(()) };
    let app = App::lean(&placed(common, &event), Damage::Refused).await?;
    let answer = hooks::fire(&app, agent, name, event).await?;
    app.engine.leave_log();
    app.memory.leave_shelves();
    if let Some(answer) = answer
        && deadline.answer()
    {
        // Whoever does not take the answer is not told by an exit code either.
        let _ = writeln!(std::io::stdout(), "{}", json_line(&answer));
    }
    Ok(())
}

/// Reads the event from stdin.
fn event(agent: Hooks, name: &str) -> Option<Event> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > LARGEST {
        return None;
    }
    let input = foreign::json(&String::from_utf8_lossy(&bytes))?;
    let event = (agent.read)(name, &input)?;
    // A session without a name cannot be told apart from others, and what ended in it belongs to nobody.
    (event.session.is_some() || !matches!(event.what, What::Over(_) | What::Wrote(_))).then_some(event)
}

/// The project is where the agent works, unless a person says otherwise.
fn placed(common: &Common, event: &Event) -> Common {
    let mut common = common.clone();
    let free = |directory: &&Path| !boot::is_said(&common) && directory.is_dir();
    if let Some(directory) = event.directory.as_deref().filter(free) {
        common.project = vec![directory.to_string_lossy().into_owned()];
    }
    common
}
