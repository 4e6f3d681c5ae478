//! From a failure to an exit code, a JSON object, and a hint.

use loci_domain::fault::Fault;
use std::fmt;

/// A failure of a command, ready to be shown.
#[derive(Debug)]
pub struct Failure {
    /// The words.
    pub message: String,
    /// The stable word for scripts.
    pub code: &'static str,
    /// Exit code.
    pub exit: u8,
}

impl Failure {
    /// A failure of the command line's own words.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code: "usage", exit: 2 }
    }

    /// A failure that belongs to no verb.
    pub fn new(fault: Fault, code: &'static str, message: impl Into<String>) -> Failure {
        Failure { message: message.into(), code, exit: exit(fault) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<loci_memory::Error> for Failure {
    fn from(error: loci_memory::Error) -> Failure {
        Failure::new(error.fault(), error.code(), error.to_string())
    }
}

impl From<loci_store::Error> for Failure {
    fn from(error: loci_store::Error) -> Failure {
        loci_memory::Error::from(error).into()
    }
}

impl From<loci_store::record::Error> for Failure {
    fn from(error: loci_store::record::Error) -> Failure {
        use loci_store::record::Error;
        let code = match &error {
            Error::Newer { .. } => Some("ledger_newer"),
            Error::Offline(_) => Some("ledger_unreachable"),
            _ => None,
        };
        let failure = Failure::from(loci_memory::Error::from(error));
        Failure { code: code.unwrap_or(failure.code), ..failure }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure { message: format!("{error:#}"), code: "failed", exit: 1 }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        loci_store::Error::io(error).into()
    }
}

/// 1 failed · 3 not found · 4 conflict · 5 refused · 6 unavailable; 2 is the command line's.
fn exit(fault: Fault) -> u8 {
    match fault {
        Fault::Invalid | Fault::Bug | Fault::Upstream => 1,
        Fault::Missing => 3,
        Fault::Conflict => 4,
        Fault::Denied | Fault::Secret | Fault::Limit => 5,
        Fault::Busy | Fault::Offline => 6,
    }
}

/// What a person may do about it, if there is something.
pub fn hint(failure: &Failure) -> Option<&'static str> {
    match failure.code {
        "secret_refused" => Some("keep secrets in a password manager and note where they are"),
        "nothing_to_undo" => Some("`loci log` shows what happened; `loci undo ID` takes any change back"),
        "expired" => Some("`loci undo` again goes to the change before it; `loci log` shows them all"),
        "no_such_change" => Some("`loci log` lists the ids of changes and groups"),
        "no_such_receipt" => Some("a recall tells its receipt at its end; old ones are not kept"),
        "no_such_session" => Some("`loci session list` shows all sessions"),
        "ledger_damaged" => Some("`loci doctor --fix` sets it aside and rebuilds it from the files"),
        "ledger_newer" => {
            Some("put the newer loci in place of this one; an older one cannot read what a newer one wrote")
        }
        "ledger_unreachable" => Some("start the database, or correct ledger.url (LOCI_LEDGER); `loci config` shows it"),
        "invalid_settings" => {
            Some("correct that line, or move the file away; docs/configuration.md lists all settings")
        }
        "no_such_proposal" => Some("`loci dream --review` lists the proposals that wait"),
        "memory_off" => Some("`loci status` shows all switches and who set them"),
        "lease_lost" => Some("try again; `loci status` shows what ran last"),
        "workspace_not_found" => {
            Some("`loci workspace list` shows all workspaces; those without a name have no record")
        }
        "agent_not_found" => Some("`loci agent list` shows all agents"),
        "sandbox_not_found" => Some("`loci sandbox list` shows all sandboxes"),
        "conversation_not_found" => Some("`loci conversation list` shows all conversations"),
        "account_not_found" => Some("`loci account list` shows all accounts"),
        "memories_off" => Some("`loci config memories.enabled true` switches it on"),
        "not_found" => Some("`loci list` shows what is there"),
        "invalid_uri" => Some("memory://root is the summary; `loci read memory://root/MEMORY.md` prints the handbook"),
        "invalid_path" => Some("paths look like /memories/global/user/editor.md, or global/user/editor.md"),
        _ => None,
    }
}
