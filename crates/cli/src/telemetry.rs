//! Logs: `LOCI_LOG` chooses what is written to stderr; without it a person is warned, and a script that reads stderr as
//! JSON finds nothing else in it.

use crate::output::Format;
use tracing::level_filters::LevelFilter;
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Installs the subscriber; the only place that does.
pub fn install(format: Format) {
    let asked = EnvFilter::try_from_env("LOCI_LOG").ok();
    let logs = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .with_span_events(FmtSpan::NONE);
    let _ = match (asked, format) {
        (Some(filter), _) => {
            logs.with_env_filter(filter).with_target(true).finish().with(filter_fn(holds_no_content)).try_init()
        }
        (None, format) => {
            let level = if format == Format::Text { Level::WARN } else { Level::ERROR };
            let logs = logs.with_max_level(LevelFilter::from_level(level)).with_target(false);
            let logs = logs.without_time().finish();
            logs.with(filter_fn(holds_no_content)).try_init()
        }
    };
}

/// The MCP library logs whole messages, and memory is in them.
fn holds_no_content(event: &Metadata<'_>) -> bool {
    !event.target().starts_with("rmcp")
}
