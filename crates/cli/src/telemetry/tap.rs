//! Takes events of the product from all that is logged, and puts them into a bounded queue.
//!
//! An event never waits: where the queue is full it is counted and let go.
//! Only targets of our own are taken, whose fields hold no content; whatever a dependency logs stays here.

use super::wire::{Record, Value};
use jiff::Timestamp;
use std::fmt::Debug;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc::Sender;
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// So many events may wait.
pub const ROOM: usize = 2048;

static QUEUE: OnceLock<Sender<Record>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);

/// Events go into this queue from now on.
pub fn open(queue: Sender<Record>) {
    let _ = QUEUE.set(queue);
}

/// How many were let go since somebody asked last.
pub fn lost() -> u64 {
    LOST.swap(0, Ordering::Relaxed)
}

/// Counts events that nobody took.
pub fn lose(count: usize) {
    LOST.fetch_add(count as u64, Ordering::Relaxed);
}

/// Whether it is an event of the product, like `memory.recall` or `daemon.request`.
pub fn is_event(about: &Metadata<'_>) -> bool {
    about.is_event() && (about.target().starts_with("memory.") || about.target().starts_with("daemon."))
}

pub struct Tap;

impl<S: Subscriber> Layer<S> for Tap {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let Some(queue) = QUEUE.get() else { return };
        let about = event.metadata();
        let mut fields = Fields::default();
        event.record(&mut fields);
        let record = Record { at: Timestamp::now(), level: *about.level(), name: about.target(), fields: fields.0 };
        if queue.try_send(record).is_err() {
            lose(1);
        }
    }
}

#[derive(Default)]
struct Fields(Vec<(&'static str, Value)>);

impl Visit for Fields {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.push((field.name(), Value::Int(value)));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.push((field.name(), Value::Int(i64::try_from(value).unwrap_or(i64::MAX))));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.push((field.name(), Value::Float(value)));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.push((field.name(), Value::Bool(value)));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), Value::Text(value.to_owned())));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.push((field.name(), Value::Text(format!("{value:?}"))));
    }
}
