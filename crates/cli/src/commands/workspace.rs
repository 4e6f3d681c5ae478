//! `loci workspace`: units of work whose memory dies with them, and the records whose files agents share.

use super::account::failure;
use super::{Outcome, record};
use crate::args::WorkspaceCommand;
use crate::boot::{App, storages};
use crate::fault::Failure;
use crate::output::{Output, bold, can_ask, confirmed, count, dim, line};
use loci_domain::fault::Fault;
use loci_domain::project::is_workspace_id;
use loci_domain::workspace::Storage;
use loci_server::WorkspaceRow;
use loci_session::records::Held;
use loci_session::{Ground, Storages};
use loci_store::Show;
use loci_store::lock::private_dirs;
use loci_store::record::{Holding, LOCAL};
use serde_json::json;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output, command: WorkspaceCommand) -> Outcome {
    match command {
        WorkspaceCommand::List => list(app, output).await,
        WorkspaceCommand::Add { name: Some(name), config, .. } => {
            add_record(app, output, &name, config.as_deref()).await
        }
        WorkspaceCommand::Add { id, .. } => add(app, output, id).await,
        WorkspaceCommand::Show { id } => {
            show(output, &record::runtime(app).get(Holding::Workspace, LOCAL, &id).await.map_err(failure)?)
        }
        WorkspaceCommand::Set { id, body } => {
            let change = record::given(&body)?;
            let runtime = record::changing(app)?;
            show(output, &runtime.change(Holding::Workspace, LOCAL, &id, &change).await.map_err(failure)?)
        }
        WorkspaceCommand::Rm { id, yes } => remove(app, output, &id, yes).await,
    }
}

async fn list(app: &App, output: Output) -> Outcome {
    let mut workspaces = Vec::new();
    let ids = app.storages.folders().await.map_err(failure)?;
    let records = records(app).await?;
    let unseen = records.iter().map(|held| held.id.clone()).filter(|id| !ids.contains(id)).collect::<Vec<_>>();
    for id in ids.into_iter().chain(unseen) {
        let record = records.iter().find(|held| held.id == id);
        let documents = documents(app, &id, record).await?;
        let mut row = match record {
            Some(held) => serde_json::to_value(WorkspaceRow::of(LOCAL, held.clone())).unwrap_or_default(),
            None => json!({"id": id, "name": null}),
        };
        row["documents"] = documents.into();
        workspaces.push(row);
    }
    output.answer(&json!({"workspaces": workspaces}), || {
        for workspace in &workspaces {
            let documents = match workspace["documents"].as_u64() {
                Some(documents) => count(documents as usize, "document", "documents"),
                None => "its place does not answer".to_owned(),
            };
            line(&format!(
                "{}  {}{}",
                bold(workspace["id"].as_str().unwrap_or_default()),
                workspace["name"].as_str().map(|name| format!("{name}  ")).unwrap_or_default(),
                dim(documents)
            ));
        }
        if workspaces.is_empty() {
            line(&dim("no workspaces; `loci workspace add` makes one, or just use --workspace ID"));
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// How many documents its memory has; `None` = its files lie elsewhere, and nobody answers there.
async fn documents(app: &App, id: &str, record: Option<&Held>) -> Result<Option<usize>, Failure> {
    let storage = record.map_or(Storage::Local, |held| storages::read(&held.body));
    let listing = match app.storages.root(&app.places, id, &storage) {
        Ok(root) => root.backend.list(None, Show::Visible, 1000).await,
        Err(_) => return Ok(None),
    };
    match listing {
        Ok(listing) => Ok(Some(listing.files.iter().filter(|(path, _)| !path.is_index()).count())),
        Err(error) if storage == Storage::Local => Err(error.into()),
        Err(_) => Ok(None),
    }
}

async fn add(app: &App, output: Output, id: Option<String>) -> Outcome {
    let id = id.unwrap_or_else(|| format!("ws_{}", loci_store::store::fresh_id()));
    let ground = ground(app, &id)?;
    if ground.backend.stat(None).await?.is_some() {
        return Err(Failure::new(Fault::Conflict, "conflict", format!("the workspace {id} already exists")));
    }
    // A bucket has no folders: there it begins with its first memory.
    if let Some(folder) = &ground.folder {
        private_dirs(folder)?;
    }
    output.answer(&json!({"id": id}), || line(&format!("{id}  {}", dim(format!("use it with --workspace {id}")))));
    Ok(ExitCode::SUCCESS)
}

async fn add_record(app: &App, output: Output, name: &str, config: Option<&str>) -> Outcome {
    let config = config.map_or_else(|| Ok(json!({"storage": {"provider": "local"}})), record::given)?;
    let body = json!({"name": name, "config": config});
    show(output, &record::changing(app)?.add(Holding::Workspace, LOCAL, body).await.map_err(failure)?)
}

fn show(output: Output, held: &Held) -> Outcome {
    record::told(output, &WorkspaceRow::of(LOCAL, held.clone()), held);
    Ok(ExitCode::SUCCESS)
}

async fn remove(app: &App, output: Output, id: &str, yes: bool) -> Outcome {
    let ground = ground(app, id)?;
    let recorded = records(app).await?.iter().any(|held| held.id == id);
    if !recorded && ground.backend.stat(None).await?.is_none() {
        return Err(Failure::new(Fault::Missing, "workspace_not_found", format!("there is no workspace {id}")));
    }
    if !yes && can_ask(output) && !confirmed(&format!("End the workspace {id} and its memory for good?"))? {
        line("nothing was removed");
        return Ok(ExitCode::SUCCESS);
    }
    let runtime = record::changing(app)?;
    match recorded {
        true => runtime.remove_workspace(LOCAL, id).await.map_err(failure)?,
        false => {
            let root = app.places.workspace_root(id);
            let _held = (ground.lock.hold().await?, root.lock.hold().await?);
            app.storages.clear(LOCAL, id, &Storage::Local).await.map_err(failure)?;
            app.ledger.drop_root(&root.key).await?;
        }
    }
    output.answer(&json!({"removed": id}), || line(&format!("the workspace {id} and its memory are gone")));
    Ok(ExitCode::SUCCESS)
}

/// The workspace records of this person.
async fn records(app: &App) -> Result<Vec<Held>, Failure> {
    record::runtime(app).all(Holding::Workspace, LOCAL).await.map_err(failure)
}

/// The files of a workspace that has no record.
fn ground(app: &App, id: &str) -> Result<Ground, Failure> {
    if !is_workspace_id(id) {
        return Err(Failure::usage(format!("{id:?} is no workspace id; use 1 to 64 of A-Z a-z 0-9 . _ -")));
    }
    app.storages.open(LOCAL, id, &Storage::Local).map_err(failure)
}
