//! Logs: `LOCI_LOG` chooses what is written to stderr; without it a person is warned, and a script that reads stderr as
//! JSON finds nothing else in it.

use crate::output::Format;
use tracing::Level;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Installs the subscriber; the only place that does.
pub fn install(format: Format) {
    let asked = EnvFilter::try_from_env("LOCI_LOG").ok();
    let logs = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .with_span_events(FmtSpan::NONE);
    let _ = match (asked, format) {
        (Some(filter), _) => logs.with_env_filter(filter).with_target(true).try_init(),
        (None, Format::Text) => logs.with_max_level(Level::WARN).without_time().with_target(false).try_init(),
        (None, Format::Json | Format::Quiet) => logs.with_max_level(Level::ERROR).with_target(false).try_init(),
    };
}
