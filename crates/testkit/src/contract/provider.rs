//! The contract of `loci_llm::Provider`, over real HTTP against a scripted model in the provider's own wire format.
//!
//! Call [`crate::provider_contract!`] with a wire format and a function that opens a provider at a [`Place`].

mod answers;
mod failures;
mod questions;

pub use answers::*;
pub use failures::*;
pub use questions::*;

use crate::model::{KEY, Model, NAME, Step, Wire};
use loci_llm::provider::{Ask, Call, Message, Provider, Shape, Tool};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Where a provider is to ask, and within which limits; the key is [`KEY`], the model [`NAME`], pauses are short.
#[derive(Debug, Clone)]
pub struct Place {
    /// The service.
    pub base_url: String,
    /// The time of a call.
    pub time: Duration,
    /// How often it is tried again.
    pub retries: u32,
}

/// Opens an implementation.
pub type Open = fn(Place) -> Arc<dyn Provider>;

/// Words that no error and no log may repeat.
const PROMPT: &str = "the pelican sleeps at noon";

/// A script and who asks it.
fn scripted(wire: Wire, open: Open, steps: impl IntoIterator<Item = Step>) -> (Model, Arc<dyn Provider>) {
    limited(wire, open, steps, Duration::from_secs(20), 3)
}

fn limited(
    wire: Wire,
    open: Open,
    steps: impl IntoIterator<Item = Step>,
    time: Duration,
    retries: u32,
) -> (Model, Arc<dyn Provider>) {
    let model = Model::new(wire, steps);
    let provider = open(Place { base_url: model.base_url(), time, retries });
    (model, provider)
}

/// A plain question.
fn question() -> Ask {
    Ask { system: "Be brief.".to_owned(), messages: vec![Message::User(PROMPT.to_owned())], ..Ask::default() }
}

fn tool(name: &str) -> Tool {
    let path = json!({"type": "string", "description": "where"});
    let lines = json!({"type": ["integer", "null"]});
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"path": path, "lines": lines}, "required": ["path"], "additionalProperties": false,
    });
    Tool { name: name.to_owned(), description: format!("does {name}"), schema }
}

fn shape() -> Shape {
    let schema = json!({
        "type": "object", "properties": {"animals": {"type": "array", "items": {"type": "string"}}},
        "required": ["animals"], "additionalProperties": false,
    });
    Shape { name: "animals".to_owned(), schema }
}

fn call(id: &str, name: &str, arguments: Value) -> Call {
    Call { id: id.to_owned(), name: name.to_owned(), arguments }
}

/// Makes one test of each case: `provider_contract!(#[tokio::test] => Wire::OpenAi, open)`.
#[macro_export]
macro_rules! provider_contract {
    (#[$test:meta] => $wire:expr, $open:expr) => {
        $crate::provider_contract! { @ #[$test] $wire, $open,
            words_come_back, calls_come_back_in_order, words_beside_calls_come_back, a_call_without_arguments_has_an_empty_object,
            malformed_arguments_are_words, a_shape_is_kept_to, an_answer_in_a_fence_is_unwrapped, thinking_is_left_out,
            cost_is_estimated_where_nobody_tells_it, nonsense_is_unreadable, too_much_is_unreadable,
            the_question_arrives_whole, little_said_is_little_sent, tools_arrive, a_shape_arrives,
            results_go_back_to_their_calls, the_same_tool_twice_at_once, a_conversation_goes_on_after_malformed_arguments,
            busy_is_tried_again, a_broken_line_is_tried_again, tries_end, no_retries_is_one_try, refusals_are_final,
            retry_after_is_kept, a_pause_longer_than_the_time_is_not_waited_for, a_silent_service_is_late,
            the_time_covers_all_tries, nobody_there_is_said_at_once, a_dropped_call_hangs_up, redirects_are_not_followed,
            an_unwanted_temperature_is_left_out_from_then_on, nothing_leaks
        }
    };
    (@ #[$test:meta] $wire:expr, $open:expr, $($case:ident),+) => {
        $(
            #[$test]
            async fn $case() {
                $crate::contract::provider::$case($wire, $open).await;
            }
        )+
    };
}
