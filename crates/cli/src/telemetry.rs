//! Logs: `LOCI_LOG` chooses what is written to stderr; without it only warnings are.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Installs the subscriber; the only place that does.
pub fn install() {
    let filter = EnvFilter::try_from_env("LOCI_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .with_span_events(FmtSpan::NONE)
        .with_target(true)
        .try_init();
}
