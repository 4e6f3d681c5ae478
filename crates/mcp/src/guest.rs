//! Who asks, and what they may do.

use loci_domain::access::Mode;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

/// Who asks over HTTP; whoever mounts us puts one into each request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// Whose sessions are theirs and nobody else's.
    pub name: String,
    /// What they may do, whatever the server's own mode allows.
    pub mode: Mode,
}

/// The stricter of two modes.
pub(crate) fn stricter(one: Mode, other: Mode) -> Mode {
    match (one, other) {
        (Mode::Explore, _) | (_, Mode::Explore) => Mode::Explore,
        (Mode::Plan, _) | (_, Mode::Plan) => Mode::Plan,
        (Mode::Exec, Mode::Exec) => Mode::Exec,
    }
}

/// True for a client that began with `initialize`; the newest revision keeps nothing between two requests.
pub(crate) fn keeps_state(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version.has_initialize())
}
