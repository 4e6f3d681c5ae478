//! Who may do what: the mode × scope × command matrix, in this one place.

use crate::scope::Scope;
use std::str::FromStr;

/// What kind of work the calling agent is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Carrying out: everything is allowed.
    Exec,
    /// Planning: the checkout stays as it is, memory in the home may change.
    Plan,
    /// Looking around: nothing may change.
    Explore,
}

/// Where a scope's files lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// Below the home.
    Home,
    /// In the checkout, tracked by git.
    Checkout,
}

/// What a command wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Only look.
    View,
    /// Change something.
    Change,
}

/// A change that the mode does not allow; the words are the published contract.
#[derive(Debug, thiserror::Error)]
pub enum ReadOnly {
    /// In a scope.
    #[error("The {0} memory scope is read-only for this agent; only 'view' is allowed.")]
    Scope(Scope),
    /// In a bare directory, which has no scopes.
    #[error("This memory is read-only for this agent; only 'view' is allowed.")]
    Bare,
}

/// Says whether `mode` allows `want` in `scope`; `None` = a bare directory.
pub fn check(mode: Mode, scope: Option<Scope>, seat: Seat, want: Want) -> Result<(), ReadOnly> {
    let allowed = match (want, mode) {
        (Want::View, _) | (Want::Change, Mode::Exec) => true,
        (Want::Change, Mode::Plan) => seat == Seat::Home,
        (Want::Change, Mode::Explore) => false,
    };
    if allowed { Ok(()) } else { Err(scope.map_or(ReadOnly::Bare, ReadOnly::Scope)) }
}

/// A word that names no mode.
#[derive(Debug, thiserror::Error)]
#[error("unknown mode {0:?}; use exec, plan or explore")]
pub struct UnknownMode(String);

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(word: &str) -> Result<Mode, UnknownMode> {
        match word {
            "exec" => Ok(Mode::Exec),
            "plan" => Ok(Mode::Plan),
            "explore" => Ok(Mode::Explore),
            _ => Err(UnknownMode(word.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plan_cares_where_the_files_lie() {
        let may = |mode, seat| check(mode, Some(Scope::Project), seat, Want::Change).is_ok();
        assert!(may(Mode::Exec, Seat::Checkout) && may(Mode::Exec, Seat::Home));
        assert!(!may(Mode::Plan, Seat::Checkout) && may(Mode::Plan, Seat::Home));
        assert!(!may(Mode::Explore, Seat::Checkout) && !may(Mode::Explore, Seat::Home));
        assert!(check(Mode::Explore, Some(Scope::Global), Seat::Home, Want::View).is_ok());
    }
}
