//! A prompt of an ACP host: slash commands are done, anything else is recalled for.

use super::verbs;
use super::wire::{Ask, Trouble};
use super::worker::Opened;
use loci_memory::recall::Recall;
use loci_store::record::TaskKind;
use serde_json::Value;

/// What is said to a prompt, in Markdown.
pub async fn answer(opened: &Opened, session: &str, text: &str) -> String {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
    match word {
        "/remember" | "/forget" if rest.is_none() => format!("Say what to {} behind {word}.", &word[1..]),
        "/remember" => done(verbs::perform(opened, TaskKind::Remember, Ask { content: rest, ..Ask::default() }).await),
        "/forget" => done(verbs::forget_few(opened, Ask { query: rest, ..Ask::default() }).await),
        "/dream" => done(verbs::perform(opened, TaskKind::Dream, Ask::default()).await),
        _ => recalled(opened, session, text).await,
    }
}

fn done(done: Result<Value, Trouble>) -> String {
    match done {
        Ok(result) => result["summary"].as_str().unwrap_or("Done.").to_owned(),
        Err(trouble) => format!("That did not work: {}.", trouble.text),
    }
}

async fn recalled(opened: &Opened, session: &str, query: &str) -> String {
    if !opened.enabled || !opened.recall {
        return "Memory is switched off here.".to_owned();
    }
    let ask = Recall { query: query.to_owned(), session: Some(session.to_owned()), ..opened.question.clone() };
    match opened.memory.recall(ask).await {
        Ok(recalled) if recalled.hits.is_empty() => "Nothing in memory fits.".to_owned(),
        Ok(recalled) => recalled.prompt,
        Err(error) => format!("Memory cannot be read: {error}."),
    }
}
