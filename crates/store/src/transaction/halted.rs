//! Steps that came to nothing: why, and whether all of them could be taken back.

use crate::Error;

/// Why the steps came to nothing.
pub(super) struct Halted {
    pub error: Error,
    pub left: Left,
}

/// What is on disk of steps that came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    /// A step could not be taken back.
    Something,
}

/// A call that fails changes nothing.
impl From<Error> for Halted {
    fn from(error: Error) -> Halted {
        Halted { error, left: Left::Nothing }
    }
}
