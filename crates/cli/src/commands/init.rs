//! `loci init`: memory for this project.

use super::Outcome;
use crate::args::InitArgs;
use crate::boot::{App, join_id};
use crate::fault::Failure;
use crate::output::{Output, dim, green, line};
use loci_domain::fault::Fault;
use loci_domain::scope::Scope;
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, args: &InitArgs) -> Outcome {
    let InitArgs { shared, join } = *args;
    let project = app.places.project.as_ref().map_err(|reason| {
        Failure::new(Fault::Offline, "scope_unavailable", format!("The project memory scope is unavailable: {reason}"))
    })?;
    if join {
        let Some(id) = app.config.text("project.id") else {
            let text = "there is no project.id to join; set it in .loci/config.toml of the checkout";
            return Err(Failure::new(Fault::Missing, "no_project_id", text));
        };
        if app.unjoined.is_some() {
            join_id(app.ledger.as_ref(), id, &project.identity).await?;
        }
        output.answer(&json!({"joined": id}), || line(&format!("{} the memory of project {id}", green("joined"))));
    }
    if shared {
        if app.places.checkout.is_some() {
            let text = "the project is on another machine; make the folder .loci/memory in its checkout there";
            return Err(Failure::new(Fault::Offline, "scope_unavailable", text));
        }
        let memory = project.top.join(".loci/memory");
        std::fs::create_dir_all(&memory)?;
        output.answer(&json!({"shared": memory}), || {
            line(&format!("{} {}", green("project memory is now in"), memory.display()));
            line(&dim("commit it, and the team shares it; teammates accept it with `loci trust --all`"));
        });
    }
    if !join && !shared {
        let place = super::status::place(app, Scope::Project);
        output.answer(&json!({"project": project.key, "place": place}), || {
            line(&format!("this project's memory is in {}", place.as_deref().unwrap_or_default()));
            line(&dim("`loci init --shared` keeps it in the checkout instead, for the whole team"));
        });
    }
    Ok(ExitCode::SUCCESS)
}
