//! What of older messages a model need not see again: thoughts, and the work with tools that is done.
//!
//! Owns which parts go. Never changes what is stored, never touches the part of the conversation that is under way, and
//! never takes a call from the question to a person that waits for it.

use loci_domain::message::{Message, Part, known};
use loci_domain::transcript::Role;
use serde_json::Value;
use std::collections::HashSet;

/// The first message that is under way: the last one of a person, or the first that this turn brought.
pub fn active(messages: &[Message], brought: usize) -> usize {
    let last = messages.iter().rposition(|message| message.role == Role::User);
    let own = messages.len().saturating_sub(brought);
    last.map_or(own, |last| last.min(own))
}

/// A call that a person was asked about and that has come to nothing yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// The question's id.
    pub approval: String,
    /// The call's id.
    pub call: String,
}

/// The calls that wait for a person, or whose answer was not acted on yet. A no is acted on by going on.
pub fn pending(messages: &[Message]) -> Vec<Pending> {
    let (mut asked, mut done, mut denied) = (Vec::new(), HashSet::new(), HashSet::new());
    for (place, message) in messages.iter().enumerate() {
        let last = place + 1 == messages.len();
        for part in message.parts() {
            match part {
                Part::Asks(approval, call) => {
                    asked.push(Pending { approval: approval.to_owned(), call: call.to_owned() });
                }
                Part::Result(call) => {
                    done.insert(call.to_owned());
                }
                Part::Answers(approval, false) if !last => {
                    denied.insert(approval.to_owned());
                }
                _ => {}
            }
        }
    }
    asked.retain(|pending| !done.contains(&pending.call) && !denied.contains(&pending.approval));
    asked
}

/// The messages as a model sees them; what is emptied goes as a whole.
pub fn prune(messages: Vec<Message>, active: usize) -> Vec<Message> {
    let waits = pending(&messages);
    let under_way: HashSet<String> = ids_of_calls(&messages[active.min(messages.len())..]);
    let keeps = &|part: &Value| match known(part) {
        Some(Part::Text(text)) => !text.is_empty(),
        Some(Part::Reasoning) | None => false,
        // A result in the part that is under way needs its call.
        Some(Part::Call(id)) => under_way.contains(id) || waits.iter().any(|pending| pending.call == id),
        Some(Part::Result(_)) => false,
        Some(Part::Asks(id, _) | Part::Answers(id, _)) => waits.iter().any(|pending| pending.approval == id),
    };
    let pruned = |(place, message): (usize, Message)| match message {
        message if place >= active => Some(message),
        // Words of a tool have no call that they could be told apart by: they are what came of one.
        Message { role: Role::Tool, content: Value::String(_) } => None,
        message => retained(message, keeps),
    };
    messages.into_iter().enumerate().filter_map(pruned).collect()
}

/// What of a message belongs to a call that waits for a person, for where all else of it is told in short.
pub fn waiting(message: Message, waits: &[Pending]) -> Option<Message> {
    let keeps = |part: &Value| match known(part) {
        Some(Part::Call(id)) => waits.iter().any(|pending| pending.call == id),
        Some(Part::Asks(id, _) | Part::Answers(id, _)) => waits.iter().any(|pending| pending.approval == id),
        _ => false,
    };
    match message.content {
        Value::Array(_) => retained(message, keeps),
        _ => None,
    }
}

/// The message with the parts that stay, if any do; words stay as they are.
fn retained(mut message: Message, keeps: impl Fn(&Value) -> bool) -> Option<Message> {
    if let Value::Array(parts) = &mut message.content {
        parts.retain(keeps);
        if parts.is_empty() {
            return None;
        }
    }
    Some(message)
}

fn ids_of_calls(messages: &[Message]) -> HashSet<String> {
    let parts = messages.iter().flat_map(Message::parts);
    parts.filter_map(|part| if let Part::Result(id) = part { Some(id.to_owned()) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(messages: &[Value]) -> Vec<Message> {
        messages.iter().map(|message| Message::read(message, "m").unwrap()).collect()
    }

    fn call(id: &str) -> Value {
        json!({"type": "tool-call", "toolCallId": id, "toolName": "bash", "input": {}})
    }

    fn result(id: &str) -> Value {
        json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": id, "toolName": "bash", "output": 1}]})
    }

    #[test]
    fn done_work_goes_and_words_stay() {
        let messages = read(&[
            json!({"role": "user", "content": "look"}),
            json!({"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "I look"}, call("a")]}),
            result("a"),
            json!({"role": "assistant", "content": "found"}),
            json!({"role": "user", "content": "again"}),
            json!({"role": "assistant", "content": [call("b")]}),
        ]);
        let at = active(&messages, 1);
        assert_eq!(at, 4);
        let seen = prune(messages.clone(), at);
        let words: Vec<String> = seen.iter().map(Message::words).collect();
        assert_eq!(words, ["look", "I look", "found", "again", ""]);
        assert_eq!(seen[4], messages[5]);
    }

    #[test]
    fn an_older_answer_of_a_tool_in_words_does_not_stay_without_its_call() {
        let answer = json!({"role": "tool", "content": "42 files"});
        let messages = read(&[
            json!({"role": "user", "content": "count"}),
            json!({"role": "assistant", "content": [call("a")]}),
            answer.clone(),
            json!({"role": "user", "content": "again"}),
            answer,
        ]);
        let seen = prune(messages.clone(), active(&messages, 1));
        assert_eq!(seen.iter().map(Message::words).collect::<Vec<_>>(), ["count", "again", "42 files"]);
    }

    #[test]
    fn pending_approval_keeps_its_pair() {
        let asks = json!({"type": "tool-approval-request", "approvalId": "ap", "toolCallId": "a"});
        let answers = json!({"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "ap", "approved": true}]});
        let mut all = vec![
            json!({"role": "user", "content": "delete it"}),
            json!({"role": "assistant", "content": [call("a"), asks]}),
            json!({"role": "user", "content": "what was it?"}),
            answers,
        ];
        let waiting = read(&all);
        let seen = prune(waiting.clone(), active(&waiting, 1));
        assert_eq!(seen, waiting);
        all.extend([result("a"), json!({"role": "user", "content": "thanks"})]);
        let done = read(&all);
        assert!(pending(&done).is_empty());
        let seen = prune(done.clone(), active(&done, 1));
        assert_eq!(seen.iter().map(Message::words).collect::<Vec<_>>(), ["delete it", "what was it?", "thanks"]);
    }

    #[test]
    fn a_no_is_settled_by_going_on() {
        let asks = json!({"type": "tool-approval-request", "approvalId": "ap", "toolCallId": "a"});
        let no = json!({"role": "tool", "content": [{"type": "tool-approval-response", "approvalId": "ap", "approved": false}]});
        let mut all = vec![json!({"role": "assistant", "content": [call("a"), asks]}), no];
        assert_eq!(pending(&read(&all)).len(), 1, "nobody has acted on it yet");
        all.push(json!({"role": "assistant", "content": "then I leave it"}));
        assert!(pending(&read(&all)).is_empty());
    }
}
