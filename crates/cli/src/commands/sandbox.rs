//! `loci sandbox`: where the commands of agents run.

use super::account::failure;
use super::{Outcome, record};
use crate::args::SandboxCommand;
use crate::boot::App;
use crate::output::{Output, bold, dim, green, line};
use loci_server::{SandboxRow, SandboxRows};
use loci_store::record::{Holding, LOCAL};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, command: SandboxCommand) -> Outcome {
    match command {
        SandboxCommand::Add { name } => {
            let body = json!({"name": name, "kind": "local"});
            let made = record::changing(app)?.add(Holding::Sandbox, LOCAL, body).await.map_err(failure)?;
            record::show::<SandboxRow>(output, made);
        }
        SandboxCommand::List => {
            let all = record::runtime(app).all(Holding::Sandbox, LOCAL).await.map_err(failure)?;
            output.answer(&SandboxRows::from(all.clone()), || {
                if all.is_empty() {
                    line(&dim("no sandboxes; `loci sandbox add NAME` makes one"));
                }
                for held in &all {
                    line(&format!("{}  {}", bold(&held.id), held.body["name"].as_str().unwrap_or_default()));
                }
            });
        }
        SandboxCommand::Show { id } => {
            record::show::<SandboxRow>(
                output,
                record::runtime(app).get(Holding::Sandbox, LOCAL, &id).await.map_err(failure)?,
            );
        }
        SandboxCommand::Rm { id } => {
            record::changing(app)?.remove(Holding::Sandbox, LOCAL, &id).await.map_err(failure)?;
            output.answer(&json!({"removed": id}), || line(&format!("{} {id}", green("removed"))));
        }
    }
    Ok(ExitCode::SUCCESS)
}
