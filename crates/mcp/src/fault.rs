//! What went wrong, in the protocol's words.
//!
//! Owns the one table from kinds of failure to codes and advice. A tool that fails answers with an error that its model
//! reads and can act on; only what is no call of ours at all is an error of the protocol.

use loci_domain::fault::Fault;
use loci_memory::Error;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, ErrorCode};

/// Why a tool did not do what it was asked for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments, in words for a model.
    Arguments(String),
    /// The memory tool says so itself, in the published words.
    Said(String),
    /// A verb says so.
    Verb(Error),
    /// Memory is switched off.
    Off,
    /// The settings cannot be read.
    Settings,
    /// The client took the request back; nothing was changed.
    Cancelled,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Verb(error)
    }
}

/// The code of a failure that is the protocol's, and what a model may do about one that is a tool's.
fn table(fault: Fault) -> (ErrorCode, Option<&'static str>) {
    match fault {
        Fault::Invalid => (ErrorCode::INVALID_PARAMS, None),
        Fault::Missing => (ErrorCode::RESOURCE_NOT_FOUND, Some("View /memories or call recall to see what is there.")),
        Fault::Conflict => (ErrorCode::INVALID_REQUEST, Some("Look at what is there now, then try again.")),
        Fault::Denied => (ErrorCode::INVALID_REQUEST, None),
        Fault::Secret => (ErrorCode::INVALID_REQUEST, Some("Leave the secret out and note where it is kept instead.")),
        Fault::Busy => (ErrorCode::INTERNAL_ERROR, Some("Try again in a moment.")),
        Fault::Limit => (ErrorCode::INVALID_REQUEST, Some("Store less, or split it by topic.")),
        Fault::Upstream => (ErrorCode::INTERNAL_ERROR, Some("Use the memory tool to do it yourself.")),
        Fault::Offline => (ErrorCode::INTERNAL_ERROR, Some("Another scope may work; else tell the person.")),
        Fault::Bug => (ErrorCode::INTERNAL_ERROR, Some("Tell the person; Loci's log says more.")),
    }
}

impl Failure {
    /// The words for a model.
    fn words(&self) -> String {
        match self {
            Failure::Arguments(text) | Failure::Said(text) => text.clone(),
            Failure::Verb(error) => {
                let text = told(error);
                match table(error.fault()).1 {
                    Some(advice) => format!("{text}. {advice}"),
                    None => text,
                }
            }
            Failure::Off => {
                "Memory is switched off (memory.enabled = false). Go on without it; only the person can switch it on."
                    .to_owned()
            }
            Failure::Settings => "Loci's settings cannot be read. Tell the person to run `loci config`.".to_owned(),
            Failure::Cancelled => "The request was cancelled; nothing was changed.".to_owned(),
        }
    }

    /// As the answer to a call.
    pub fn answer(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.words())])
    }

    /// As an error of the protocol, for what is no tool.
    pub fn data(&self) -> ErrorData {
        let code = match self {
            Failure::Arguments(_) | Failure::Said(_) => ErrorCode::INVALID_PARAMS,
            Failure::Verb(error) => table(error.fault()).0,
            Failure::Off | Failure::Cancelled => ErrorCode::INVALID_REQUEST,
            Failure::Settings => ErrorCode::INTERNAL_ERROR,
        };
        ErrorData::new(code, self.words(), None)
    }
}

/// An error's own words; our own mistakes are for the log.
fn told(error: &Error) -> String {
    match error.fault() {
        Fault::Bug => {
            tracing::error!(%error, "a request failed");
            "Something went wrong inside Loci".to_owned()
        }
        _ => error.to_string(),
    }
}
