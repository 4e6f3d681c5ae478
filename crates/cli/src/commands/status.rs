//! `loci status`: where memory is, what state it is in, what is switched on.

mod upkeep;

use super::Outcome;
use crate::boot::App;
use crate::fault::Failure;
use crate::models::ROLES;
use crate::output::{Output, bold, count, dim, green, line, unavailable, yellow};
use crate::switches::{SWITCHES, is_on};
use loci_domain::access::Seat;
use loci_domain::scope::Scope;
use loci_domain::workspace::Storage;
use loci_memory::list::{File, Trust};
use loci_store::Show;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

pub async fn run(app: &App, output: Output) -> Outcome {
    let (status, upkeep) = report(app).await?;
    output.answer(&status, || {
        show(app, &status, status["hidden"].as_str());
        upkeep.show();
        upkeep::show_pipeline(&status["pipeline"]);
    });
    Ok(ExitCode::SUCCESS)
}

/// All that is known, as scripts and the page are told it.
pub async fn report(app: &App) -> Result<(Value, upkeep::Report), Failure> {
    let files = app.memory.list(None).await?;
    let scopes: Vec<Value> = Scope::ALL.into_iter().map(|scope| about(app, scope, &files)).collect();
    let hidden = hidden(app).await?;
    let switches: serde_json::Map<String, Value> =
        SWITCHES.iter().map(|name| ((*name).to_owned(), is_on(&app.config, name).into())).collect();
    let last = app.memory.log(None, 1).await?;
    let upkeep = upkeep::Report::of(app).await?;
    let pipeline = upkeep::pipeline(app).await?;
    let cost = cost(app).await?;
    let status = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "home": app.places.home,
        "switches": switches,
        "switchedOff": upkeep.off,
        "extract": upkeep.extract,
        "dream": upkeep.dream,
        "dreaming": app.memory.is_dreaming().await?,
        "proposals": upkeep.proposals,
        "scopes": scopes,
        "hidden": hidden,
        "unjoinedProjectId": app.unjoined,
        "lastChange": last.first(),
        "lane": {"pending": app.ledger.pending_tasks(&app.memory.upkeep_of()?.0).await?},
        "pipeline": pipeline,
        "models": models(app),
        "embedder": app.memory.embedder(),
        "cost": cost,
        "warnings": app.warnings,
    });
    Ok((status, upkeep))
}

/// Host-local documents that a `.loci/memory` in the checkout hides, if there are any.
pub async fn hidden(app: &App) -> Result<Option<String>, Failure> {
    let Ok(project) = &app.places.project else { return Ok(None) };
    if project.shared.is_none() {
        return Ok(None);
    }
    let root = app.places.host_local_root(project);
    let listing = root.backend.list(None, Show::Visible, 1000).await?;
    let hidden = listing.files.iter().filter(|(path, _)| !path.is_index()).count();
    let from = app.places.site.address().join("projects").join(&project.key).join("memory");
    Ok((hidden > 0).then(|| {
        let documents = count(hidden, "host-local document is", "host-local documents are");
        let to = project.top.join(".loci/memory");
        format!(
            "{documents} hidden by .loci/memory of the checkout; to move: mv {}/* {}/",
            from.display(),
            to.display()
        )
    }))
}

/// Who answers in which role, and which settings keep one from it.
fn models(app: &App) -> Value {
    let mut models = serde_json::Map::new();
    for (role, name) in ROLES {
        models.insert(name.to_owned(), app.memory.models().name(role).into());
    }
    models.insert("troubles".to_owned(), app.model_troubles.clone().into());
    Value::Object(models)
}

/// What models cost today, and whether they may be asked any more.
async fn cost(app: &App) -> Result<Value, Failure> {
    let limit = app.config.number("models.daily_token_limit");
    let days = app.memory.spend(1).await?;
    let Some(today) = days.first() else { return Ok(Value::Null) };
    let mut cost = serde_json::to_value(today).unwrap_or_default();
    cost["limit"] = limit.into();
    cost["limitReached"] = (today.cost.tokens >= limit).into();
    Ok(cost)
}

fn about(app: &App, scope: Scope, files: &[File]) -> Value {
    let here: Vec<&File> = files.iter().filter(|file| file.scope == scope).collect();
    match app.memory.store().root(Some(scope)) {
        Err(error) => json!({"scope": scope, "available": false, "reason": unavailable(&error)}),
        Ok(root) => json!({
            "scope": scope,
            "available": true,
            "place": place(app, scope),
            "shared": root.seat == Seat::Checkout,
            "documents": here.len(),
            "bytes": here.iter().map(|file| file.bytes).sum::<u64>(),
            "pinned": here.iter().filter(|file| file.pinned).count(),
            "untrusted": here.iter().filter(|file| file.trust == Trust::Untrusted).count(),
        }),
    }
}

/// Where a scope's files lie, for a person with an editor.
pub fn place(app: &App, scope: Scope) -> Option<String> {
    let folder = app.folder(scope).map(|folder| folder.display().to_string());
    let elsewhere = scope == Scope::Workspace && app.storage != Storage::Local;
    folder.or_else(|| elsewhere.then(|| app.storage.to_string()))
}

/// The same for all scopes, in every way that an agent would name them: whole, below its person's home, and below the
/// checkout that it works in.
pub fn spellings(app: &App) -> Vec<String> {
    let mut roots: Vec<String> = Scope::ALL.into_iter().filter_map(|scope| place(app, scope)).collect();
    let own = std::env::home_dir().map(|home| home.canonicalize().unwrap_or(home));
    for folder in Scope::ALL.into_iter().filter_map(|scope| app.folder(scope)) {
        let below = own.as_ref().and_then(|own| folder.strip_prefix(own).ok());
        roots
            .extend(below.into_iter().flat_map(|below| ["~", "$HOME"].map(|own| format!("{own}/{}", below.display()))));
    }
    let inside = Path::new(".loci/memory");
    let checkout = app.folder(Scope::Project).filter(|folder| folder.ends_with(inside));
    roots.extend(checkout.map(|_| inside.display().to_string()));
    roots
}

fn show(app: &App, status: &Value, hidden: Option<&str>) {
    line(&format!("{} {}  {}", bold("loci"), env!("CARGO_PKG_VERSION"), dim(app.places.home.display())));
    for scope in status["scopes"].as_array().into_iter().flatten() {
        let name = format!("{:<10}", scope["scope"].as_str().unwrap_or_default());
        if scope["available"] == json!(false) {
            line(&format!("  {}{}", bold(name), dim(scope["reason"].as_str().unwrap_or_default())));
            continue;
        }
        let number = |key: &str| scope[key].as_u64().unwrap_or_default() as usize;
        let mut said = vec![count(number("documents"), "document", "documents")];
        said.extend((number("pinned") > 0).then(|| format!("{} pinned", number("pinned"))));
        said.extend(
            (number("untrusted") > 0).then(|| yellow(format!("{} untrusted (loci trust PATH)", number("untrusted")))),
        );
        line(&format!("  {}{}  {}", bold(name), said.join(" · "), dim(scope["place"].as_str().unwrap_or_default())));
    }
    let switches = SWITCHES.iter().map(|name| match is_on(&app.config, name) {
        true => green(format!("{name} on")),
        false => dim(format!("{name} off")),
    });
    line(&format!("  {}{}", bold(format!("{:<10}", "switches")), switches.collect::<Vec<_>>().join("  ")));
    show_models(app, status);
    if let Some(hidden) = hidden {
        line(&format!("  {:<10}{}", "", yellow(hidden)));
    }
    if let Some(id) = &app.unjoined {
        let joins = "belongs to another checkout on this machine; `loci init --join` shares its memory";
        line(&format!("  {:<10}{}", "", yellow(format!("the project.id {id:?} {joins}"))));
    }
}

fn show_models(app: &App, status: &Value) {
    let told = |role: &str| status["models"][role].as_str();
    let default = told("default");
    let mut said: Vec<String> = default.map(str::to_owned).into_iter().collect();
    let own = ["fast", "smol"].into_iter().filter_map(|role| Some((role, told(role)?)));
    said.extend(own.filter(|(_, name)| Some(*name) != default).map(|(role, name)| format!("{role} {name}")));
    let said = if said.is_empty() { dim("none; everything works without") } else { said.join(" · ") };
    line(&format!("  {}{said}", bold(format!("{:<10}", "models"))));
    if let Some(embedder) = status["embedder"].as_str() {
        line(&format!("  {}{embedder}", bold(format!("{:<10}", "embedder"))));
    }
    for trouble in &app.model_troubles {
        line(&format!("  {:<10}{}", "", yellow(trouble)));
    }
    let number = |key: &str| status["cost"][key].as_u64().unwrap_or_default();
    if default.is_none() && number("calls") == 0 {
        return;
    }
    let calls = count(number("calls") as usize, "call", "calls");
    let cost = format!("{} of {} tokens today · {calls}", grouped(number("tokens")), grouped(number("limit")));
    let cost = match status["cost"]["limitReached"] == json!(true) {
        true => yellow(format!("{cost} · the daily limit is reached: no model is asked until midnight UTC")),
        false => cost,
    };
    line(&format!("  {}{cost}", bold(format!("{:<10}", "cost"))));
}

/// A large number as people read it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}
