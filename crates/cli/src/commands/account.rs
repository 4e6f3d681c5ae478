//! `loci account`: others who share this daemon, each with memory of their own.

use super::Outcome;
use super::serve::fresh_token;
use crate::args::AccountCommand;
use crate::boot::{self, App, OwnHalls};
use crate::fault::Failure;
use crate::output::{Output, ago, bold, can_ask, confirmed, dim, green, line};
use serde_json::{Value, json};
use std::process::ExitCode;
use std::sync::Arc;

pub async fn run(app: &App, output: Output, command: AccountCommand) -> Outcome {
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    let runtime = boot::runtime(app, Arc::new(OwnHalls::new(app, app.memory.clone())));
    match command {
        AccountCommand::Add { name } => {
            let key = fresh_token()?;
            let account = runtime.add_account(&name, loci_server::hash(&key)).await.map_err(failure)?;
            let made = json!({"id": account.id, "name": name, "key": key});
            let hint = "the key is shown only now; send it as Authorization: Bearer …";
            output.once(&made, &format!("{}  {key}", bold(&account.id)), hint);
        }
        AccountCommand::List => {
            let accounts = runtime.accounts().await.map_err(failure)?;
            let row = |account: &loci_ledger::Account| json!({"id": account.id, "name": account.name, "createdAt": account.at.to_string()});
            let rows: Vec<Value> = accounts.iter().map(row).collect();
            output.answer(&json!({"accounts": rows}), || {
                if accounts.is_empty() {
                    line(&dim("only local, the account of this home; `loci account add NAME` makes another"));
                }
                for account in &accounts {
                    line(&format!("{}  {}  {}", bold(&account.name), account.id, dim(ago(account.at))));
                }
            });
        }
        AccountCommand::Rm { account, yes } => {
            let question = format!("Remove the account {account} with its files, conversations and memory for good?");
            if !yes && can_ask(output) && !confirmed(&question)? {
                line("nothing was removed");
                return Ok(ExitCode::SUCCESS);
            }
            let removed = runtime.remove_account(&account).await.map_err(failure)?;
            output.answer(&json!({"removed": removed.id}), || line(&format!("{} {}", green("removed"), removed.name)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A failure of the runtime, with the exit code of its kind; a field that cannot be is wrong usage.
pub fn failure(error: loci_session::Error) -> Failure {
    match error {
        loci_session::Error::Memory(error) => error.into(),
        // What was typed is not what it must be.
        loci_session::Error::Form(_) => Failure { code: error.code(), ..Failure::usage(error.to_string()) },
        other => Failure::new(other.fault(), other.code(), other.to_string()),
    }
}
