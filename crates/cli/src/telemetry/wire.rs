//! Events in the JSON of OTLP: log records with a name.
//!
//! Integers of 64 bits are strings there, since numbers of JSON readers lose digits.

use jiff::Timestamp;
use serde_json::{Value as Json, json};
use tracing::Level;

/// One event.
pub struct Record {
    pub at: Timestamp,
    pub level: Level,
    pub name: &'static str,
    pub fields: Vec<(&'static str, Value)>,
}

pub enum Value {
    Int(i64),
    Float(f64),
    Bool(bool),
    Text(String),
}

/// A request that tells of these events, and how many were let go before them.
pub fn request(records: &[Record], lost: u64) -> Json {
    let mut resource = vec![
        attribute("service.name", &Value::Text("loci".to_owned())),
        attribute("service.version", &Value::Text(env!("CARGO_PKG_VERSION").to_owned())),
        attribute("process.pid", &Value::Int(std::process::id().into())),
    ];
    if lost > 0 {
        resource.push(attribute("loci.events.lost", &Value::Int(i64::try_from(lost).unwrap_or(i64::MAX))));
    }
    let records: Vec<Json> = records.iter().map(record).collect();
    let scope = json!({"scope": {"name": "loci"}, "logRecords": records});
    json!({"resourceLogs": [{"resource": {"attributes": resource}, "scopeLogs": [scope]}]})
}

fn record(record: &Record) -> Json {
    let nanos = record.at.as_nanosecond().to_string();
    let attributes: Vec<Json> = record.fields.iter().map(|(name, value)| attribute(name, value)).collect();
    json!({
        "timeUnixNano": nanos,
        "observedTimeUnixNano": nanos,
        "severityNumber": severity(record.level),
        "severityText": record.level.as_str(),
        "eventName": record.name,
        "body": {"stringValue": record.name},
        "attributes": attributes,
    })
}

/// The first number of each of the five bands that the two worlds share.
fn severity(level: Level) -> u8 {
    match level {
        Level::TRACE => 1,
        Level::DEBUG => 5,
        Level::INFO => 9,
        Level::WARN => 13,
        Level::ERROR => 17,
    }
}

fn attribute(name: &str, value: &Value) -> Json {
    let value = match value {
        Value::Int(number) => json!({"intValue": number.to_string()}),
        Value::Float(number) => json!({"doubleValue": number}),
        Value::Bool(said) => json!({"boolValue": said}),
        Value::Text(text) => json!({"stringValue": text}),
    };
    json!({"key": name, "value": value})
}
