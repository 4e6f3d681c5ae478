//! `loci agent`: who works in workspaces.

use super::account::failure;
use super::{Outcome, record};
use crate::args::AgentCommand;
use crate::boot::App;
use crate::output::{Output, ago, bold, count, dim, green, line};
use loci_server::{AgentRow, AgentRows};
use loci_session::records::Held;
use loci_store::record::{Holding, LOCAL};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, command: AgentCommand) -> Outcome {
    match command {
        AgentCommand::Add { body } => {
            let body = record::given(&body)?;
            let made = record::changing(app)?.add(Holding::Agent, LOCAL, body).await.map_err(failure)?;
            record::show::<AgentRow>(output, made);
        }
        AgentCommand::List => {
            let all = record::runtime(app).all(Holding::Agent, LOCAL).await.map_err(failure)?;
            output.answer(&AgentRows::from(all.clone()), || {
                if all.is_empty() {
                    line(&dim("no agents; `loci agent add JSON` makes one"));
                }
                all.iter().for_each(brief);
            });
        }
        AgentCommand::Show { id } => {
            record::show::<AgentRow>(
                output,
                record::runtime(app).get(Holding::Agent, LOCAL, &id).await.map_err(failure)?,
            );
        }
        AgentCommand::Set { id, body } => {
            let change = record::given(&body)?;
            let changed = record::changing(app)?.change(Holding::Agent, LOCAL, &id, &change).await.map_err(failure)?;
            record::show::<AgentRow>(output, changed);
        }
        AgentCommand::Rm { id } => {
            record::changing(app)?.remove(Holding::Agent, LOCAL, &id).await.map_err(failure)?;
            output.answer(&json!({"removed": id}), || line(&format!("{} {id}", green("removed"))));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn brief(held: &Held) {
    let names = held.body["workspaces"].as_array().into_iter().flatten().filter_map(|bound| bound["name"].as_str());
    let names: Vec<&str> = names.collect();
    let workspaces = match names.is_empty() {
        true => "no workspaces".to_owned(),
        false => format!("{}: {}", count(names.len(), "workspace", "workspaces"), names.join(", ")),
    };
    line(&format!("{}  {workspaces}  {}", bold(&held.id), dim(ago(held.updated_at))));
}
