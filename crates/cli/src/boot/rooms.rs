//! Memory for the jobs of whatever project of the home.

use super::{App, Engine, home, settings_now};
use crate::args::Common;
use crate::commands::{dream, status};
use crate::config::Config;
use crate::switches;
use async_trait::async_trait;
use jiff::SignedDuration;
use loci_pipeline::{Desk, Room, Rooms, Settings, Where};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Opens memory as a command in that directory would.
pub struct OwnRooms {
    /// What this process was told, but for the place.
    pub common: Common,
    /// The ledger that all of them use.
    pub engine: Engine,
}

impl OwnRooms {
    /// Rooms of a process that is put together already.
    pub fn new(app: &App, common: &Common) -> OwnRooms {
        OwnRooms { common: common.clone(), engine: app.engine.clone() }
    }

    /// What this process was told, for another directory; an empty one is none.
    fn at(&self, directory: &str) -> Common {
        Common { project: vec![directory.to_owned()], workspace: None, ..self.common.clone() }
    }

    /// A directory of the project, if one is left: its checkout may still switch things off.
    async fn directory(&self, project: &str) -> Result<String, String> {
        let identity = project.strip_prefix("project:").unwrap_or(project);
        if identity.starts_with('/') {
            return Ok(if Path::new(identity).is_dir() { identity.to_owned() } else { String::new() });
        }
        let note = self.engine.rows().note(&super::project::id_note(identity)).await;
        let roots = note.map_err(|error| error.to_string())?;
        Ok(roots.unwrap_or_default().lines().find(|root| Path::new(root).is_dir()).unwrap_or_default().to_owned())
    }
}

#[async_trait]
impl Rooms for OwnRooms {
    async fn open(&self, place: &Where) -> Result<Room, String> {
        let mut common = self.at(place.directory.as_deref().unwrap_or_default());
        common.workspace = place.workspace.clone();
        common.account = place.account.clone();
        let app = App::boot_over(&common, &self.engine).await.map_err(|failure| failure.code.to_owned())?;
        Ok(Room {
            memory: app.with_prompts(),
            extract: switches::is_on(&app.config, "extract"),
            dream: dream::settings(&app.config),
            roots: status::spellings(&app),
        })
    }

    async fn desk(&self, project: &str) -> Result<Desk, String> {
        let directory = self.directory(project).await?;
        let app =
            App::boot_over(&self.at(&directory), &self.engine).await.map_err(|failure| failure.code.to_owned())?;
        let memory = app.with_prompts();
        let book = app.places.handbook_of(project);
        Ok(Desk {
            memory: memory.with_handbook(Arc::clone(&book.pages)),
            off: switches::why_off(&app.config, "memories"),
            book,
        })
    }

    fn settings(&self) -> Result<Settings, String> {
        home()
            .and_then(|_| settings_now(&self.at("")))
            .map(|config| phases(&config))
            .map_err(|failure| failure.to_string())
    }
}

/// The settings of the two phases.
fn phases(config: &Config) -> Settings {
    let number = |key: &str| config.number(&format!("memories.{key}"));
    let size = |key: &str| usize::try_from(number(key)).unwrap_or(usize::MAX);
    let seconds = |key: &str| Duration::from_secs(number(key));
    let hours = |many: u64| SignedDuration::from_hours(i64::try_from(many).unwrap_or(i64::MAX).min(10_000_000));
    Settings {
        off: switches::why_off(config, "memories"),
        max_age: hours(number("max_rollout_age_days").saturating_mul(24)),
        min_idle: hours(number("min_rollout_idle_hours")),
        most: size("max_rollouts_per_startup"),
        summary_tokens: size("summary_injection_token_limit"),
        stage1_tokens: size("stage1_input_tokens"),
        phase2_tokens: size("phase2_input_tokens"),
        concurrency: size("stage1_concurrency").max(1),
        // A claim that ends at once could never be worked under.
        stage1_lease: seconds("stage1_lease_seconds").max(Duration::from_secs(1)),
        stage1_retry: seconds("stage1_retry_delay_seconds"),
        phase2_lease: seconds("phase2_lease_seconds").max(Duration::from_secs(1)),
        phase2_heartbeat: seconds("phase2_heartbeat_seconds").max(Duration::from_millis(100)),
        phase2_retry: seconds("phase2_retry_delay_seconds"),
        tries: u32::try_from(number("retries")).unwrap_or(u32::MAX).max(1),
    }
}
