//! The four wire formats, as the services document them: what a request says, what is wrong with it, what an answer looks like.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

use super::http::Request;
use super::step::{Reply, Step};
use serde_json::Value;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Chat completions.
    OpenAi,
    /// Messages.
    Anthropic,
    /// `generateContent`.
    Gemini,
    /// `/api/chat`.
    Ollama,
}

/// What a request says, whatever its format.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// The model's name.
    pub model: String,
    /// The key, without what the format puts around it.
    pub key: Option<String>,
    /// What the model is to be.
    pub system: String,
    /// Every message: who, and its words.
    pub messages: Vec<(String, String)>,
    /// Names of the tools.
    pub tools: Vec<String>,
    /// Calls that the model made before: name and arguments.
    pub calls: Vec<(String, Value)>,
    /// What came of them.
    pub results: Vec<String>,
    /// The shape that the answer must have.
    pub schema: Option<Value>,
    /// How free it is.
    pub temperature: Option<f64>,
    /// How much it may say.
    pub max_tokens: Option<u64>,
}

impl Wire {
    /// All of them.
    pub const ALL: [Wire; 4] = [Wire::OpenAi, Wire::Anthropic, Wire::Gemini, Wire::Ollama];

    /// Its name in settings.
    pub fn provider(self) -> &'static str {
        match self {
            Wire::OpenAi => "openai",
            Wire::Anthropic => "anthropic",
            Wire::Gemini => "gemini",
            Wire::Ollama => "ollama",
        }
    }

    pub(super) fn base_path(self) -> &'static str {
        match self {
            Wire::OpenAi => "/v1",
            _ => "",
        }
    }

    pub(super) fn seen(self, request: &Request) -> Seen {
        match self {
            Wire::OpenAi => openai::seen(request),
            Wire::Anthropic => anthropic::seen(request),
            Wire::Gemini => gemini::seen(request),
            Wire::Ollama => ollama::seen(request),
        }
    }

    pub(super) fn check(self, request: &Request) -> Result<(), String> {
        let complaint = match self {
            Wire::OpenAi => openai::check(request),
            Wire::Anthropic => anthropic::check(request),
            Wire::Gemini => gemini::check(request),
            Wire::Ollama => ollama::check(request),
        };
        complaint.map_err(|what| format!("{}: {what} in {}", self.provider(), request.body))
    }

    pub(super) fn answer(self, step: &Step, request: &Request, number: usize) -> Value {
        let Reply::Said { text, calls, usage } = &step.reply else { unreachable!("only what is said has a format") };
        match self {
            Wire::OpenAi => openai::answer(text, calls, *usage, number),
            Wire::Anthropic => anthropic::answer(text, calls, *usage, number, request),
            Wire::Gemini => gemini::answer(text, calls, *usage),
            Wire::Ollama => ollama::answer(text, calls, *usage),
        }
    }
}

/// A rule that a service keeps.
fn rule(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

/// The items of a list, if it is one.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A bearer's key.
fn bearer(request: &Request) -> Option<String> {
    request.headers.get("authorization")?.strip_prefix("Bearer ").map(str::to_owned)
}
