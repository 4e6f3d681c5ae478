//! `loci token`: keys to the daemon for other programs.

use super::Outcome;
use super::serve::fresh_token;
use crate::args::TokenCommand;
use crate::boot::App;
use crate::fault::Failure;
use crate::output::{Output, ago, bold, dim, green, line};
use jiff::Timestamp;
use loci_domain::fault::Fault;
use loci_store::record::Token;
use serde_json::{Value, json};
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, command: TokenCommand) -> Outcome {
    if app.read_only {
        return Err(loci_store::Error::ReadOnlyHome.into());
    }
    match command {
        TokenCommand::Add { name, read_only } => add(app, output, name, read_only).await?,
        TokenCommand::List => list(app, output).await?,
        TokenCommand::Rm { name } => {
            if !app.ledger.remove_token(&name).await? {
                return Err(Failure::new(Fault::Missing, "no_such_token", format!("no token is called {name}")));
            }
            output.answer(&json!({"removed": name}), || line(&format!("{} {name}", green("removed"))));
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn add(app: &App, output: Output, name: String, read_only: bool) -> Result<(), Failure> {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "._-".contains(sign);
    if !(1..=64).contains(&name.len()) || !name.chars().all(plain) {
        return Err(Failure::usage(format!("{name:?} is no name for a token; use 1 to 64 of A-Z a-z 0-9 . _ -")));
    }
    let token = fresh_token()?;
    let row = Token { name: name.clone(), hash: loci_server::hash(&token), read_only, at: Timestamp::now() };
    if !app.ledger.add_token(&row).await? {
        return Err(Failure::new(Fault::Conflict, "token_exists", format!("there is a token called {name} already")));
    }
    let made = json!({"name": name, "token": token, "readOnly": read_only});
    output.once(&made, &token, "it is shown only now; send it as Authorization: Bearer …");
    Ok(())
}

async fn list(app: &App, output: Output) -> Result<(), Failure> {
    let tokens = app.ledger.tokens().await?;
    let rows: Vec<Value> = tokens
        .iter()
        .map(|token| json!({"name": token.name, "readOnly": token.read_only, "createdAt": token.at.to_string()}))
        .collect();
    output.answer(&json!({"tokens": rows}), || {
        if tokens.is_empty() {
            line(&dim("only the daemon's own token, in $LOCI_HOME/token"));
        }
        for token in &tokens {
            let rights = if token.read_only { "reads only" } else { "reads and writes" };
            line(&format!("{}  {}  {}", bold(&token.name), rights, dim(ago(token.at))));
        }
    });
    Ok(())
}
