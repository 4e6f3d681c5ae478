//! The services that answer: OpenAI and all that speak its language, Anthropic, Gemini, Ollama.
//!
//! Owns which kinds there are and what each needs to be told; each speaks its own wire format.
//! Never reads the environment, and does nothing at all before the first question: no client, no TLS, no connection.
//! Start at [`open`]; `providers/remote.rs` is a call with its tries, `providers/<kind>.rs` are pure translations.

mod anthropic;
mod dialect;
pub(crate) mod estimate;
mod gemini;
mod key;
pub(crate) mod line;
mod manners;
mod ollama;
mod openai;
mod pause;
mod remote;

pub use key::Key;

use crate::provider::{Provider, Result};
use dialect::Dialect;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// Which language a service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// OpenAI's chat completions, which llama.cpp, vLLM and most others speak too.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama's own.
    Ollama,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::OpenAi, Kind::Anthropic, Kind::Gemini, Kind::Ollama];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Kind::OpenAi => "openai",
            Kind::Anthropic => "anthropic",
            Kind::Gemini => "gemini",
            Kind::Ollama => "ollama",
        }
    }

    fn dialect(self) -> &'static dyn Dialect {
        match self {
            Kind::OpenAi => &openai::OpenAi,
            Kind::Anthropic => &anthropic::Anthropic,
            Kind::Gemini => &gemini::Gemini,
            Kind::Ollama => &ollama::Ollama,
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> std::result::Result<Kind, ()> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(())
    }
}

/// One model of one service.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The language.
    pub kind: Kind,
    /// The model's name, as the service calls it.
    pub model: String,
    /// Where it is; absent = the service's own address. With or without a last `/`.
    pub base_url: Option<String>,
    /// The key; a service of one's own may need none.
    pub key: Option<Key>,
    /// How long a call may take, all tries together.
    pub time: Duration,
    /// How often a call is tried again when the service is busy.
    pub retries: u32,
    /// The first pause before another try; each later one is twice as long.
    pub pause: Duration,
}

impl Settings {
    /// A model with the limits that settings have by default.
    pub fn new(kind: Kind, model: impl Into<String>) -> Settings {
        Settings {
            kind,
            model: model.into(),
            base_url: None,
            key: None,
            time: Duration::from_secs(120),
            retries: 3,
            pause: Duration::from_millis(500),
        }
    }
}

/// A model, ready to be asked. Only looks at the settings.
pub fn open(settings: Settings) -> Result<Arc<dyn Provider>> {
    Ok(Arc::new(remote::Remote::new(settings)?))
}
