//! What can go wrong on the way to another machine, and there.

use loci_domain::fault::Fault;
use loci_store::Error;
use openssh_sftp_client::Error as Cause;
use openssh_sftp_client::error::SftpErrorKind;

/// A failure of one piece of work.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The other machine answered, or we refuse by ourselves: trying again changes nothing.
    Told(Error),
    /// The connection is gone; what was asked last may have happened or not.
    Lost,
}

pub(super) type Work<T> = std::result::Result<T, Trouble>;

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Told(error)
    }
}

impl From<Cause> for Trouble {
    fn from(cause: Cause) -> Trouble {
        Trouble::Told(match cause {
            // Also what lies below a file.
            Cause::SftpError(SftpErrorKind::NoSuchFile, _) => Error::Missing,
            Cause::SftpError(SftpErrorKind::PermDenied, _) => {
                Error::Io("permission denied on the other machine".into())
            }
            Cause::SftpError(SftpErrorKind::BadMessage, _) => {
                Error::refused(Fault::Invalid, "a name is too long for the other machine's file system")
            }
            Cause::SftpError(..) => Error::Io("the other machine could not do it; is its disk full?".into()),
            Cause::UnsupportedExtension(_) => Error::Io("the other machine's SFTP server cannot do that".into()),
            _ => return Trouble::Lost,
        })
    }
}

/// `Ok(None)` for what is not there.
pub(super) fn or_missing<T>(answer: std::result::Result<T, Cause>) -> Work<Option<T>> {
    match answer.map_err(Trouble::from) {
        Ok(found) => Ok(Some(found)),
        Err(Trouble::Told(Error::Missing)) => Ok(None),
        Err(trouble) => Err(trouble),
    }
}

/// Why `ssh` ended, from what it printed; in our words, for its own name paths of this machine.
pub(super) fn why(host: &str, printed: &str) -> Error {
    let has = |words: &str| printed.contains(words);
    let reason = if has("Host key verification failed") || has("HOST IDENTIFICATION HAS CHANGED") {
        if has("HAS CHANGED") {
            "its host key is not the one that is known; if it was changed on purpose, mend the known hosts".to_owned()
        } else {
            "its host key is not known; connect once with ssh, compare the fingerprint and accept it".to_owned()
        }
    } else if has("Permission denied") || has("Too many authentication failures") {
        "it refuses to let us in; no key of the agent or of ssh.identity is right".to_owned()
    } else if has("Could not resolve") {
        "there is no machine of that name".to_owned()
    } else if has("Connection refused") || has("timed out") || has("No route") || has("unreachable") {
        "it does not answer".to_owned()
    } else if has("subsystem request failed") {
        "it has no SFTP server".to_owned()
    } else {
        "ssh ended before it was connected; try it by hand".to_owned()
    };
    Error::refused(Fault::Offline, format!("{host} cannot be used: {reason}"))
}

/// When a machine that was there is not any more.
pub(super) fn gone(host: &str) -> Error {
    Error::refused(Fault::Offline, format!("the connection to {host} broke off, and what was asked may not be done"))
}

/// When a machine does not answer in time.
pub(super) fn silent(host: &str) -> Error {
    Error::refused(Fault::Offline, format!("{host} cannot be used: it does not answer"))
}
