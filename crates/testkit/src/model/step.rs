//! One reply of a scripted model.

use serde_json::{Value, json};
use std::time::Duration;

/// What the server does with one request.
#[derive(Debug, Clone)]
pub struct Step {
    pub(super) reply: Reply,
    pub(super) delay: Duration,
    pub(super) headers: Vec<(String, String)>,
}

/// Kinds of replies.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// An answer in the wire format.
    Said { text: String, calls: Vec<(String, Value)>, usage: Option<(u64, u64)> },
    /// Any status and bytes.
    Raw { status: u16, body: Vec<u8> },
    /// A failure that repeats the whole question, and the key.
    Echo { status: u16 },
    /// Nothing, until the caller goes away.
    Hang,
    /// The line breaks in the middle of the answer.
    Cut,
}

impl Step {
    /// Words; 100 tokens in, 20 out.
    pub fn say(text: impl Into<String>) -> Step {
        Step::of(Reply::Said { text: text.into(), calls: Vec::new(), usage: Some((100, 20)) })
    }

    /// One call of a tool.
    pub fn call(name: &str, arguments: Value) -> Step {
        Step::calls([(name, arguments)])
    }

    /// Several calls at once. Arguments that are a string are written as they are, well-formed or not.
    pub fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, Value)>) -> Step {
        let calls = calls.into_iter().map(|(name, arguments)| (name.to_owned(), arguments)).collect();
        Step::of(Reply::Said { text: String::new(), calls, usage: Some((100, 20)) })
    }

    /// A failure.
    pub fn status(status: u16) -> Step {
        let body = json!({"error": {"message": "scripted failure", "type": "server_error"}});
        Step::of(Reply::Raw { status, body: body.to_string().into_bytes() })
    }

    /// Any body with status 200.
    pub fn body(body: impl Into<Vec<u8>>) -> Step {
        Step::of(Reply::Raw { status: 200, body: body.into() })
    }

    /// Vectors in OpenAI's format, the last one first: their index counts, not their order.
    pub fn vectors(vectors: &[Vec<f32>]) -> Step {
        let item = |(index, vector)| json!({"object": "embedding", "index": index, "embedding": vector});
        let data: Vec<Value> = vectors.iter().enumerate().rev().map(item).collect();
        Step::body(
            json!({"object": "list", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}).to_string(),
        )
    }

    /// Any body with any status.
    pub fn refusal(status: u16, body: impl Into<Vec<u8>>) -> Step {
        Step::of(Reply::Raw { status, body: body.into() })
    }

    /// A failure whose body repeats the question and the key.
    pub fn echo(status: u16) -> Step {
        Step::of(Reply::Echo { status })
    }

    /// No answer, until the caller goes away.
    pub fn hang() -> Step {
        Step::of(Reply::Hang)
    }

    /// Half an answer.
    pub fn cut() -> Step {
        Step::of(Reply::Cut)
    }

    /// The same after a while.
    pub fn after(self, delay: Duration) -> Step {
        Step { delay, ..self }
    }

    /// The same with a header.
    pub fn header(mut self, name: &str, value: &str) -> Step {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same at another price; `None` = the service does not tell.
    pub fn costing(mut self, price: Option<(u64, u64)>) -> Step {
        if let Reply::Said { usage, .. } = &mut self.reply {
            *usage = price;
        }
        self
    }

    /// The same with words beside calls.
    pub fn saying(mut self, words: &str) -> Step {
        if let Reply::Said { text, .. } = &mut self.reply {
            *text = words.to_owned();
        }
        self
    }

    fn of(reply: Reply) -> Step {
        Step { reply, delay: Duration::ZERO, headers: Vec::new() }
    }
}
