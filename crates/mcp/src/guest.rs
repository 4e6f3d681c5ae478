//! Who asks, and what they may do.

use loci_domain::access::Mode;

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
