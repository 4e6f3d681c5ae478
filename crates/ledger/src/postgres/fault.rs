//! What PostgreSQL and the way to it say, in the ledger's words.
//!
//! No text of here has the address or its password: sqlx has neither in what it says, and an address that cannot be
//! understood is not repeated.

use crate::Error;

/// Whether the same may succeed when it is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Again {
    Never,
    Soon,
}

/// An [`Error`] inside this engine. A type of our own, because only that may be made from what sqlx says with `?`.
#[derive(Debug)]
pub(super) struct Trouble {
    error: Error,
    again: Again,
    lost: bool,
}

impl Trouble {
    pub(super) fn again(&self) -> Again {
        self.again
    }

    /// True when the connection is of no use any more.
    pub(super) fn lost_connection(&self) -> bool {
        self.lost
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble { error, again: Again::Never, lost: false }
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Error {
        trouble.error
    }
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Trouble {
        let lost = |again| Trouble { error: offline(&error), again, lost: true };
        match &error {
            sqlx::Error::Database(said) => {
                let code = said.code().unwrap_or_default();
                Trouble { error: told(&code, &error), again: again(&code), lost: code.starts_with("57P") }
            }
            sqlx::Error::Io(_) => lost(Again::Soon),
            // The pool has tried for long enough.
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Tls(_) => lost(Again::Never),
            sqlx::Error::Protocol(_) => {
                Trouble { error: Error::Engine(error.to_string()), again: Again::Never, lost: true }
            }
            sqlx::Error::Configuration(_) => Error::Offline("its address cannot be understood".to_owned()).into(),
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => Error::Corrupt(error.to_string()).into(),
            _ => Error::Engine(error.to_string()).into(),
        }
    }
}

/// What a server that should let us in says: whatever it is, it is not reached.
pub(super) fn opening(error: sqlx::Error) -> Trouble {
    let again = match &error {
        sqlx::Error::Database(said) => again(&said.code().unwrap_or_default()),
        _ => Again::Never,
    };
    match &error {
        sqlx::Error::Configuration(_) => error.into(),
        _ => Trouble { error: offline(&error), again, lost: true },
    }
}

/// What a commit says. When the connection went meanwhile nobody knows whether it happened, so it is not tried again.
pub(super) fn committing(error: sqlx::Error) -> Trouble {
    let trouble = Trouble::from(error);
    if !trouble.lost {
        return trouble;
    }
    let error = Error::Offline(format!("while a change was committed, which may have happened: {}", trouble.error));
    Trouble { error, again: Again::Never, lost: true }
}

/// Values of the ledger that make no sense.
pub(super) fn damaged(what: impl Into<String>) -> Trouble {
    Error::Corrupt(what.into()).into()
}

fn told(code: &str, error: &sqlx::Error) -> Error {
    match code {
        "53100" => Error::Full,
        "25006" => Error::ReadOnly,
        "55P03" => Error::Busy,
        // Somebody else was always faster, for as long as we tried.
        "40001" | "40P01" => Error::Busy,
        "57P01" | "57P02" | "57P03" | "53300" | "3D000" | "28P01" | "28000" => offline(error),
        "XX001" | "XX002" => Error::Corrupt(error.to_string()),
        _ => Error::Engine(error.to_string()),
    }
}

fn again(code: &str) -> Again {
    match code {
        "40001" | "40P01" | "57P01" | "57P02" | "57P03" | "53300" => Again::Soon,
        _ => Again::Never,
    }
}

fn offline(error: &sqlx::Error) -> Error {
    Error::Offline(match error {
        sqlx::Error::Database(said) => said.message().to_owned(),
        sqlx::Error::Io(error) => error.to_string(),
        sqlx::Error::PoolTimedOut => "it does not answer".to_owned(),
        _ => error.to_string(),
    })
}
