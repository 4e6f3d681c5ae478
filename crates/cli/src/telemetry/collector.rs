//! Where events go: a collector of OpenTelemetry over HTTP, in batches.
//!
//! Owns when a batch is sent and how often it is tried. A collector that is away costs nothing but its events; it is
//! complained of once, until it is back.

use super::tap;
use super::wire::{self, Record};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Url};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout_at};

/// The end of a process waits no longer for its last events.
pub const LAST: Duration = Duration::from_secs(2);

/// So many events are one request.
const BATCH: usize = 512;
/// An event waits no longer for company.
const COMPANY: Duration = Duration::from_secs(1);
const CALL: Duration = Duration::from_secs(10);
/// Pauses before a batch is tried again; after them it is let go.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(4), Duration::from_secs(16)];
/// The longest pause that a collector can ask for.
const MOST_PAUSE: Duration = Duration::from_secs(60);

/// A collector's door for log records.
pub struct Collector {
    client: Client,
    address: Url,
    headers: HeaderMap,
}

/// What became of a request.
enum Sent {
    Taken,
    /// It may be taken later, perhaps not before a while.
    Later(Option<Duration>),
    Refused,
}

impl Collector {
    /// Only looks at the words; `headers` are `name=value`, with commas between them, values percent-encoded.
    pub fn new(endpoint: &str, headers: &str) -> Result<Collector, String> {
        let base = endpoint.trim_end_matches('/');
        let whole = if base.ends_with("/v1/logs") { base.to_owned() } else { format!("{base}/v1/logs") };
        let address = Url::parse(&whole).map_err(|_| format!("{endpoint:?} is no address"))?;
        if !matches!(address.scheme(), "http" | "https") || !address.has_host() {
            return Err(format!("{endpoint:?} must begin with http:// or https://"));
        }
        let client =
            loci_llm::http::client(&address).map_err(|_| "no connection can be made on this machine".to_owned())?;
        Ok(Collector { client, address, headers: read_headers(headers)? })
    }

    /// Sends until it is told to stop, then what is left.
    pub async fn run(self, mut events: mpsc::Receiver<Record>, mut stop: watch::Receiver<bool>) {
        let (mut batch, mut away) = (Vec::new(), false);
        loop {
            tokio::select! {
                () = company(&mut events, &mut batch) => {}
                _ = stop.changed() => break,
            }
            let taken = tokio::select! {
                taken = self.deliver(&mut batch) => taken,
                _ = stop.changed() => break,
            };
            match (taken, away) {
                (false, false) => tracing::warn!("the collector of {} takes no events", super::ENDPOINT),
                (true, true) => tracing::warn!("the collector of {} takes events again", super::ENDPOINT),
                _ => {}
            }
            away = !taken;
        }
        while let Ok(event) = events.try_recv() {
            batch.push(event);
        }
        for batch in batch.chunks(BATCH) {
            let _ = self.send(batch).await;
        }
    }

    /// Tries a batch until it is taken or its tries are over; it is empty then.
    async fn deliver(&self, batch: &mut Vec<Record>) -> bool {
        let mut pauses = PAUSES.into_iter();
        let taken = loop {
            match (self.send(batch).await, pauses.next()) {
                (Sent::Taken, _) => break true,
                (Sent::Later(asked), Some(pause)) => sleep(asked.unwrap_or(pause).min(MOST_PAUSE)).await,
                (Sent::Later(_), None) | (Sent::Refused, _) => break false,
            }
        };
        if !taken {
            tap::lose(batch.len());
        }
        batch.clear();
        taken
    }

    async fn send(&self, batch: &[Record]) -> Sent {
        let lost = tap::lost();
        let body = wire::request(batch, lost).to_string();
        let request = self.client.post(self.address.clone()).headers(self.headers.clone()).timeout(CALL).body(body);
        let sent = match request.send().await {
            Err(_) => Sent::Later(None),
            Ok(answer) if answer.status().is_success() => Sent::Taken,
            Ok(answer) if [429, 502, 503, 504].contains(&answer.status().as_u16()) => {
                let asked = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
                Sent::Later(asked.map(Duration::from_secs))
            }
            Ok(_) => Sent::Refused,
        };
        if !matches!(sent, Sent::Taken) {
            tap::lose(usize::try_from(lost).unwrap_or(usize::MAX));
        }
        sent
    }
}

/// Waits for an event and what comes soon after it. What it took so far is in the batch whenever it is dropped.
async fn company(events: &mut mpsc::Receiver<Record>, batch: &mut Vec<Record>) {
    events.recv_many(batch, BATCH).await;
    let until = Instant::now() + COMPANY;
    while batch.len() < BATCH {
        match timeout_at(until, events.recv()).await {
            Ok(Some(event)) => batch.push(event),
            Ok(None) | Err(_) => return,
        }
    }
}

fn read_headers(text: &str) -> Result<HeaderMap, String> {
    // The value is a secret more often than not, so that no message repeats it.
    let wrong = || "OTEL_EXPORTER_OTLP_HEADERS is name=value, with commas between several".to_owned();
    let mut all = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
        let name = HeaderName::try_from(name.trim()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_bytes(&decoded(value.trim())).map_err(|_| wrong())?;
        value.set_sensitive(true);
        all.insert(name, value);
    }
    Ok(all)
}

/// Text without its percent-encoding; a sign that begins none stays.
fn decoded(text: &str) -> Vec<u8> {
    let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(hex) {
            Some(byte) => (out.push(byte), at += 3).1,
            None => (out.push(bytes[at]), at += 1).1,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_those_of_the_variable() {
        let headers = read_headers("Authorization=Bearer%20a%2Bb, x-team = blue%").unwrap();
        assert_eq!(headers["authorization"], "Bearer a+b");
        assert_eq!(headers["x-team"], "blue%");
        assert!(headers["authorization"].is_sensitive());
        for wrong in ["no-value", "bad name=1", "a=%0A"] {
            assert!(read_headers(wrong).is_err_and(|error| !error.contains("%0A")), "{wrong}");
        }
    }

    #[test]
    fn the_door_for_logs_is_found() {
        let door = |endpoint: &str| Collector::new(endpoint, "").map(|collector| collector.address.to_string());
        assert_eq!(door("http://127.0.0.1:4318").unwrap(), "http://127.0.0.1:4318/v1/logs");
        assert_eq!(door("https://collect.example/otlp/v1/logs/").unwrap(), "https://collect.example/otlp/v1/logs");
        assert!(door("127.0.0.1:4318").is_err());
        assert!(door("ftp://collect.example").is_err());
    }
}
