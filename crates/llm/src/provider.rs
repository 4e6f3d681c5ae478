//! One call to a language model.
//!
//! Owns the port [`Provider`], what is asked, what is answered, and the errors of a call.
//! Never knows what the words are about. Start at [`Provider`]; the implementations are in `providers/`.

use async_trait::async_trait;
use serde_json::Value;
use std::fmt::Debug;
use std::time::Duration;

/// Answers one question with one turn of a model.
///
/// The contract of every implementation:
/// - One call is one request, or several where the service was busy (429, 5xx, a broken line) and tries are left; what
///   is answered is that of the last. A `retry-after` is honoured.
/// - Every call ends: at the latest when the time limit of the provider's settings is over.
/// - Dropping the future ends the call.
/// - Keys, prompts and answers occur in no error and no log.
/// - Arguments of a tool call are passed on as the model gave them: a malformed one is a string, not an error.
#[async_trait]
pub trait Provider: Debug + Send + Sync {
    /// Which model answers, as `provider/model`.
    fn name(&self) -> &str;

    /// Asks.
    async fn ask(&self, ask: &Ask) -> Result<Answer>;
}

/// A question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ask {
    /// What the model is to be; may be empty.
    pub system: String,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// What it may call.
    pub tools: Vec<Tool>,
    /// The shape that the answer's text must have.
    pub shape: Option<Shape>,
    /// 0 = as repeatable as the model can be; absent = the model's own.
    pub temperature: Option<f64>,
    /// At most this many tokens of answer; absent = the model's own limit.
    pub max_tokens: Option<u32>,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// From outside.
    User(String),
    /// From the model.
    Assistant {
        /// Its words.
        text: String,
        /// What it wants done.
        calls: Vec<Call>,
    },
    /// What came of the calls of the message before, one for each.
    Results(Vec<CallResult>),
}

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON schema of its arguments: an object.
    pub schema: Value,
}

/// The shape of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// A short name: letters, digits, `_`.
    pub name: String,
    /// JSON schema: an object.
    pub schema: Value,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Which call; the result carries it back.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// An object when the model behaves; whatever it wrote, as a string, when not.
    pub arguments: Value,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// Which call.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// What the model is told.
    pub text: String,
}

/// What a model said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Its words; thinking is left out.
    pub text: String,
    /// What it wants done.
    pub calls: Vec<Call>,
    /// What it cost.
    pub spent: Spent,
}

/// Tokens of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spent {
    /// Sent.
    pub input: u64,
    /// Answered.
    pub output: u64,
}

impl Spent {
    /// Both together.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// Why there is no answer. None of them carries a word of the question, the answer or a key.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// No model is set up for the role, nor a default one.
    #[error("no model is configured")]
    NoModel,
    /// The settings of a role name no provider or model that there is.
    #[error("the model's settings are wrong: {0}")]
    Settings(String),
    /// The key is missing, wrong or not allowed to.
    #[error("the model's service refuses the key ({status})")]
    Key {
        /// What it answered.
        status: u16,
    },
    /// The service does not take the question.
    #[error("the model's service refuses the request ({status})")]
    Refused {
        /// What it answered.
        status: u16,
    },
    /// The service is busy or broken, also after the last try.
    #[error("the model's service is not well ({status})")]
    Busy {
        /// What it answered.
        status: u16,
        /// How long it asks to be left alone.
        retry_after: Option<Duration>,
    },
    /// Nobody is there, or the line broke.
    #[error("the model's service cannot be reached")]
    Unreachable,
    /// It took too long.
    #[error("the model did not answer within {} s", limit.as_secs_f64())]
    Late {
        /// The limit.
        limit: Duration,
    },
    /// What came is not an answer of this kind of service.
    #[error("the model's answer cannot be read: {0}")]
    Unreadable(String),
    /// What came is an answer with nothing in it: it was refused, filtered or cut.
    #[error("the model gave no answer: {why}")]
    Nothing {
        /// Why.
        why: &'static str,
        /// What it cost all the same.
        spent: Spent,
    },
    /// The day's tokens are used up.
    #[error("the daily token limit is reached")]
    Spent,
    /// Its cost can't be counted, so it is not asked: the limit must hold.
    #[error("the cost of a call cannot be recorded: {0}")]
    Uncounted(String),
}

impl Error {
    /// What a call cost that brought nothing, as far as the service told.
    pub fn spent(&self) -> Spent {
        match self {
            Error::Nothing { spent, .. } => *spent,
            _ => Spent::default(),
        }
    }
}
