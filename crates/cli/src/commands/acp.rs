//! `loci acp`: an agent over stdin and stdout; the daemon's worker, too.

use super::{Outcome, dream, recall};
use crate::args::Common;
use crate::boot::{self, App};
use crate::telemetry;
use async_trait::async_trait;
use loci_domain::scope::Scope;
use loci_server::{Desk, Display, Opened};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

pub async fn run(common: &Common) -> Outcome {
    let export = telemetry::export(&boot::settings_now(common)?)?;
    loci_server::work(Arc::new(Boot { common: common.clone() })).await;
    export.finish().await;
    Ok(ExitCode::SUCCESS)
}

/// Boots anew for each task and prompt, so that settings hold from one to the next.
struct Boot {
    common: Common,
}

#[async_trait]
impl Desk for Boot {
    async fn open(&self, directory: Option<&Path>) -> Result<Opened, String> {
        let mut common = self.common.clone();
        if let Some(directory) = directory {
            common.project = vec![directory.to_string_lossy().into_owned()];
        }
        let app = App::boot(&common).await.map_err(|failure| failure.to_string())?;
        let config = &app.config;
        let number = |key: &str| usize::try_from(config.number(key)).unwrap_or(usize::MAX);
        Ok(Opened {
            memory: app.with_prompts(),
            enabled: config.switch("memory.enabled"),
            turns: number("agent.turns"),
            time: Duration::from_secs(config.number("agent.seconds")),
            dream: dream::settings(config),
            forget_max: number("forget.api_max"),
            slash_max: number("forget.cli_max"),
            recall: config.switch("recall.enabled"),
            question: recall::settled(config),
            display: display(&app),
        })
    }
}

/// Where a virtual path lies on disk, below `~` where it does.
fn display(app: &App) -> Display {
    let folder = |scope: Scope| Some((scope, app.folder(scope)?));
    let folders: Vec<(Scope, PathBuf)> = Scope::ALL.into_iter().filter_map(folder).collect();
    let own = std::env::home_dir().map(|home| home.canonicalize().unwrap_or(home));
    Arc::new(move |path| {
        let found = folders.iter().find_map(|(scope, folder)| {
            path.strip_prefix(&format!("/memories/{scope}/")).map(|inside| folder.join(inside))
        });
        let Some(file) = found else { return path.to_owned() };
        match own.as_ref().and_then(|own| file.strip_prefix(own).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => file.display().to_string(),
        }
    })
}
