//! What a call costs where the service does not say.
//!
//! Also what a call will probably cost, before it is made. Coarse on purpose, and a little high: it keeps a daily limit, not a bill.

use crate::provider::{Ask, Call, Message, Spent};

/// Of a question and what was answered.
pub(super) fn spent(ask: &Ask, text: &str, calls: &[Call]) -> Spent {
    Spent { input: input(ask), output: tokens(text) + calls.iter().map(call).sum::<u64>() }
}

/// Of a question.
pub(crate) fn input(ask: &Ask) -> u64 {
    let messages = ask.messages.iter().map(|message| match message {
        Message::User(text) => tokens(text),
        Message::Assistant { text, calls } => tokens(text) + calls.iter().map(call).sum::<u64>(),
        Message::Results(results) => results.iter().map(|result| tokens(&result.text)).sum(),
    });
    let tools = ask.tools.iter().map(|tool| tokens(&tool.description) + tokens(&tool.schema.to_string()));
    // Each message has a frame of its own.
    let frames = 4 * (ask.messages.len() + ask.tools.len()) as u64;
    tokens(&ask.system) + messages.sum::<u64>() + tools.sum::<u64>() + frames
}

fn call(call: &Call) -> u64 {
    tokens(&call.name) + tokens(&call.arguments.to_string())
}

/// Four plain characters, or one of another script.
fn tokens(text: &str) -> u64 {
    let plain = text.bytes().filter(u8::is_ascii).count() as u64;
    let other = text.chars().filter(|c| !c.is_ascii()).count() as u64;
    plain.div_ceil(4) + other
}
