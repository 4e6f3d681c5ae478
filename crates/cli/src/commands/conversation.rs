//! `loci conversation`: what agents and people said, turn by turn.

use super::account::failure;
use super::{Outcome, record};
use crate::args::ConversationCommand;
use crate::boot::App;
use crate::output::{Output, ago, bold, can_ask, confirmed, count, dim, green, line};
use loci_ledger::Line;
use loci_server::{ConversationRows, ConversationShown};
use loci_session::turn::message;
use loci_store::record::LOCAL;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, command: ConversationCommand) -> Outcome {
    match command {
        ConversationCommand::List => {
            let all = record::runtime(app).conversations(LOCAL).await.map_err(failure)?;
            output.answer(&ConversationRows::from(all.clone()), || {
                if all.is_empty() {
                    line(&dim("no conversations; agents begin them at POST /conversations/KEY/turns of the daemon"));
                }
                for one in &all {
                    let messages = count(usize::try_from(one.messages).unwrap_or(usize::MAX), "message", "messages");
                    line(&format!("{}  {}", bold(&one.key), dim(format!("{messages} · {}", ago(one.updated_at)))));
                }
            });
        }
        ConversationCommand::Show { key, from, limit } => {
            let runtime = record::runtime(app);
            let (found, lines) = runtime.conversation(LOCAL, &key, from, limit).await.map_err(failure)?;
            let waiting = runtime.waiting(&found).await.map_err(failure)?;
            output.answer(&ConversationShown::from((found, lines.clone(), waiting)), || lines.iter().for_each(say));
        }
        ConversationCommand::Rm { key, yes } => {
            if !yes && can_ask(output) && !confirmed(&format!("Remove the conversation {key} for good?"))? {
                line("nothing was removed");
                return Ok(ExitCode::SUCCESS);
            }
            record::changing(app)?.remove_conversation(LOCAL, &key).await.map_err(failure)?;
            output.answer(&json!({"removed": key}), || line(&format!("{} {key}", green("removed"))));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// One message for people: its words; calls of tools and their answers are for scripts.
fn say(said: &Line) {
    line(&format!("{}  {}", bold(said.role.word()), dim(said.at)));
    let words = message(said).words();
    words.lines().for_each(|text| line(&format!("  {text}")));
    if words.is_empty() {
        line(&format!("  {}", dim("no words (all of it with --json)")));
    }
}
