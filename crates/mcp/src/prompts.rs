//! Prompts: what hosts show as slash commands.
//!
//! What only looks is answered at once; what changes memory asks the model to call the tool, for to be shown a prompt
//! must change nothing.

use crate::fault::Failure;
use crate::tools::{Call, is_offered, recall};
use loci_domain::access::Mode;
use loci_memory::context::Context;
use loci_memory::recall::Recall;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// Those that ask a model to call the tool of the same name.
const CALLING: [&str; 3] = ["remember", "forget", "dream"];

/// A prompt before it is filled in.
struct Blank {
    name: &'static str,
    does: &'static str,
    /// Name and meaning of its argument, which must be given.
    argument: Option<(&'static str, &'static str)>,
}

const ALL: [Blank; 5] = [
    Blank { name: "remember", does: "Keep a fact for later sessions", argument: Some(("content", "What to remember")) },
    Blank { name: "recall", does: "What is remembered about something", argument: Some(("query", "The question")) },
    Blank { name: "forget", does: "Forget what matches", argument: Some(("query", "What to forget")) },
    Blank { name: "dream", does: "Tidy memory now", argument: None },
    Blank { name: "memory", does: "Show what an agent is given at the start", argument: None },
];

impl Blank {
    /// Whether the tool that it asks a model to call is there.
    fn is_offered(&self, mode: Mode) -> bool {
        !CALLING.contains(&self.name) || is_offered(self.name, mode)
    }
}

/// The prompts of a mode.
pub(crate) fn list(mode: Mode) -> Vec<Prompt> {
    let prompt = |blank: &Blank| {
        let argument = blank.argument.map(|(name, what)| PromptArgument::new(name).with_description(what));
        let arguments = argument.map(|argument| vec![argument.with_required(true)]);
        Prompt::new(blank.name, Some(blank.does), arguments)
    };
    ALL.iter().filter(|blank| blank.is_offered(mode)).map(prompt).collect()
}

/// One prompt, filled in.
pub(crate) async fn get(cx: &Call<'_>, name: &str, given: Option<JsonObject>) -> Result<GetPromptResult, Failure> {
    let known = ALL.iter().find(|blank| blank.name == name && blank.is_offered(cx.mode));
    let blank = known.ok_or_else(|| Failure::Arguments(format!("there is no prompt called {name:?}")))?;
    let said = match blank.argument {
        None => String::new(),
        Some((field, _)) => match given.as_ref().and_then(|given| given.get(field)) {
            Some(Value::String(text)) if !text.trim().is_empty() => text.trim().to_owned(),
            _ => return Err(Failure::Arguments(format!("the prompt {name} needs the argument {field}"))),
        },
    };
    let text = match name {
        "remember" => format!(
            "Remember this durably: call the `remember` tool with the statement below, then say in one line what was kept \
             and where.\n\n{said}"
        ),
        "forget" => format!(
            "Forget this: call the `forget` tool with dryRun first, show me what would go, and go on once I agree.\n\n{said}"
        ),
        "dream" => "Tidy memory: call the `dream` tool, then say in one line what changed.".to_owned(),
        "recall" => recalled(cx, said).await?,
        _ => {
            let given = cx.memory.context(Context { query: None, ..cx.now.context.clone() }).await?;
            format!("This is what memory gives to an agent at the start of a session.\n\n{}", given.text)
        }
    };
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(blank.does))
}

async fn recalled(cx: &Call<'_>, query: String) -> Result<String, Failure> {
    let recalled = recall::recall(cx, Recall { query: query.clone(), ..cx.now.question.clone() }).await?;
    Ok(match recalled.hits.is_empty() {
        true => format!("Memory has nothing about: {query}"),
        false => format!(
            "What does memory say about this? Answer from what follows, and name the paths.\n\n{query}\n\n{}",
            recalled.prompt
        ),
    })
}
