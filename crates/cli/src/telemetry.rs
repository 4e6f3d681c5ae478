//! Logs and events: `LOCI_LOG` chooses what is written to stderr; without it a person is warned, and a script that reads
//! stderr as JSON finds nothing else in it. What happens is told to a collector of OpenTelemetry where one is configured.
//!
//! Subscribers and exporters are installed here and nowhere else.

mod collector;
mod tap;
mod wire;

use crate::config::Config;
use crate::fault::Failure;
use crate::output::Format;
use collector::Collector;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// The setting that names a collector.
pub const ENDPOINT: &str = "telemetry.otlp_endpoint";

/// Installs the subscriber; the only place that does.
pub fn install(format: Format) {
    let asked = EnvFilter::try_from_env("LOCI_LOG").ok();
    let logs = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .with_target(asked.is_some());
    let private = filter_fn(holds_no_content);
    let logs = match (asked, format) {
        (Some(filter), _) => logs.with_filter(private.and(filter)).boxed(),
        (None, Format::Text) => logs.without_time().with_filter(private.and(LevelFilter::WARN)).boxed(),
        (None, Format::Json | Format::Quiet) => logs.with_filter(private.and(LevelFilter::ERROR)).boxed(),
    };
    let events = tap::Tap.with_filter(filter_fn(tap::is_event).with_max_level_hint(LevelFilter::INFO));
    let _ = tracing_subscriber::registry().with(logs).with(events).try_init();
}

/// The MCP library logs whole messages, and memory is in them.
fn holds_no_content(event: &Metadata<'_>) -> bool {
    !event.target().starts_with("rmcp")
}

/// Tells a collector what happens from here on, where the settings name one.
///
/// For processes that live on: one that ends in milliseconds is not made to wait for a network.
pub fn export(config: &Config) -> Result<Export, Failure> {
    let named = config.text(ENDPOINT).unwrap_or_default().trim();
    if named.is_empty() {
        return Ok(Export(None));
    }
    let headers = std::env::var("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
    let collector = Collector::new(named, &headers).map_err(|wrong| Failure::usage(format!("{ENDPOINT}: {wrong}")))?;
    let (queue, events) = mpsc::channel(tap::ROOM);
    tap::open(queue);
    let (stop, stopped) = watch::channel(false);
    Ok(Export(Some((stop, tokio::spawn(collector.run(events, stopped))))))
}

/// Whether an address is one that a collector can have; `Err` = why not.
pub fn is_collector(endpoint: &str) -> Result<(), String> {
    Collector::new(endpoint, "").map(drop)
}

/// What tells the collector; it goes on until [`Export::finish`].
pub struct Export(Option<(watch::Sender<bool>, JoinHandle<()>)>);

impl Export {
    /// Sends what is left, within [`collector::LAST`].
    pub async fn finish(self) {
        if let Some((stop, task)) = self.0 {
            let _ = stop.send(true);
            let _ = tokio::time::timeout(collector::LAST, task).await;
        }
    }
}
