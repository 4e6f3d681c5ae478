//! What the commands for records share: the runtime, what is given as JSON, and how a record is shown.
//!
//! Records of the command line are those of the account `local`; what one may say is checked where they are kept.

use super::remember::stdin;
use crate::boot::{self, App, OwnHalls};
use crate::fault::Failure;
use crate::output::{Output, ago, bold, dim, line};
use loci_session::Runtime;
use loci_session::records::Held;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// For looking.
pub fn runtime(app: &App) -> Runtime {
    boot::runtime(app, Arc::new(OwnHalls::new(app, app.memory.clone())))
}

/// For changing: refused where nothing can be kept.
pub fn changing(app: &App) -> Result<Runtime, Failure> {
    match app.read_only {
        true => Err(loci_store::Error::ReadOnlyHome.into()),
        false => Ok(runtime(app)),
    }
}

/// JSON as an argument; `-` reads it from stdin.
pub fn given(argument: &str) -> Result<Value, Failure> {
    let text = if argument == "-" { stdin()? } else { argument.to_owned() };
    serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("that is no JSON ({error}); give an object, as '{{\"name\": \"x\"}}'")))
}

/// One record: `row` for scripts, its id and what it says for people.
pub fn show<T: From<Held> + Serialize>(output: Output, held: Held) {
    told(output, &T::from(held.clone()), &held);
}

/// The same for a row that needs more than the record.
pub fn told(output: Output, row: &impl Serialize, held: &Held) {
    output.answer(row, || {
        line(&format!("{}  {}", bold(&held.id), dim(ago(held.updated_at))));
        line(&serde_json::to_string_pretty(&held.body).unwrap_or_default());
    });
}
