//! Numbers about the daemon, as Prometheus reads them.
//!
//! Owns the counters. Never counts by anything that a client chooses freely: labels are routes, methods, statuses, kinds.

use axum::http::Method;
use loci_ledger::{TaskKind, TaskStatus};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Upper ends of the buckets of request times, in seconds.
const BUCKETS: [f64; 6] = [0.005, 0.025, 0.1, 0.5, 2.5, 10.0];

#[derive(Default)]
struct Times {
    counts: [u64; BUCKETS.len() + 1],
    sum: f64,
}

/// The counters.
pub struct Metrics {
    since: Instant,
    requests: Mutex<BTreeMap<(String, String, u16), u64>>,
    times: Mutex<Times>,
    tasks: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let (requests, times, tasks) = (Mutex::default(), Mutex::default(), Mutex::default());
        Metrics { since: Instant::now(), requests, times, tasks }
    }
}

impl Metrics {
    /// Counts a request by the route that answered it.
    pub fn request(&self, method: &Method, route: &str, status: u16, took: Duration) {
        let known =
            [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
        let method = if known.contains(method) { method.as_str() } else { "OTHER" };
        if let Ok(mut requests) = self.requests.lock() {
            *requests.entry((method.to_owned(), route.to_owned(), status)).or_default() += 1;
        }
        if let Ok(mut times) = self.times.lock() {
            let seconds = took.as_secs_f64();
            let bucket = BUCKETS.iter().position(|end| seconds <= *end).unwrap_or(BUCKETS.len());
            times.counts[bucket] += 1;
            times.sum += seconds;
        }
    }

    /// Counts the end of a task.
    pub fn task(&self, kind: TaskKind, status: TaskStatus) {
        if let Ok(mut tasks) = self.tasks.lock() {
            *tasks.entry((kind.word(), status.word())).or_default() += 1;
        }
    }

    /// All of it as text, with what is true at this moment.
    pub fn text(&self, pending: usize, listeners: usize) -> String {
        let mut text = String::new();
        let mut line = |words: std::fmt::Arguments<'_>| {
            let _ = writeln!(text, "{words}");
        };
        line(format_args!(
            "# HELP loci_up_seconds How long the daemon has been running.\n# TYPE loci_up_seconds gauge"
        ));
        line(format_args!("loci_up_seconds {}", self.since.elapsed().as_secs()));
        line(format_args!("# HELP loci_lane_pending Tasks that wait or run.\n# TYPE loci_lane_pending gauge"));
        line(format_args!("loci_lane_pending {pending}"));
        line(format_args!("# HELP loci_listeners Open event streams.\n# TYPE loci_listeners gauge"));
        line(format_args!("loci_listeners {listeners}"));
        line(format_args!("# HELP loci_tasks_total Tasks that ended.\n# TYPE loci_tasks_total counter"));
        if let Ok(tasks) = self.tasks.lock() {
            for ((kind, status), count) in tasks.iter() {
                line(format_args!("loci_tasks_total{{kind=\"{kind}\",status=\"{status}\"}} {count}"));
            }
        }
        line(format_args!("# HELP loci_requests_total Requests by route.\n# TYPE loci_requests_total counter"));
        if let Ok(requests) = self.requests.lock() {
            for ((method, route, status), count) in requests.iter() {
                let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
                line(format_args!("loci_requests_total{{{labels}}} {count}"));
            }
        }
        line(format_args!("# HELP loci_request_seconds Time to answer.\n# TYPE loci_request_seconds histogram"));
        if let Ok(times) = self.times.lock() {
            let mut sum = 0;
            for (count, end) in times.counts.iter().zip(BUCKETS.iter().map(f64::to_string).chain(["+Inf".to_owned()])) {
                sum += count;
                line(format_args!("loci_request_seconds_bucket{{le=\"{end}\"}} {sum}"));
            }
            line(format_args!("loci_request_seconds_sum {}\nloci_request_seconds_count {sum}", times.sum));
        }
        text
    }
}
