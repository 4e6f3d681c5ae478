//! Memory for the jobs of whatever project of the home.

use super::App;
use crate::args::Common;
use crate::commands::{dream, status};
use crate::switches;
use async_trait::async_trait;
use loci_domain::scope::Scope;
use loci_pipeline::{Room, Rooms, Where};

/// Opens memory as a command in that directory would.
pub struct OwnRooms {
    /// What this process was told, but for the place.
    pub common: Common,
}

#[async_trait]
impl Rooms for OwnRooms {
    async fn open(&self, place: &Where) -> Result<Room, String> {
        let mut common = self.common.clone();
        // An empty project is none.
        common.project = vec![place.directory.clone().unwrap_or_default()];
        common.workspace = place.workspace.clone();
        common.account = place.account.clone();
        let app = App::boot(&common).await.map_err(|failure| failure.code.to_owned())?;
        Ok(Room {
            memory: app.with_prompts().map_err(|failure| failure.code.to_owned())?,
            extract: switches::is_on(&app.config, "extract"),
            dream: dream::settings(&app.config),
            roots: Scope::ALL.into_iter().filter_map(|scope| status::place(&app, scope)).collect(),
        })
    }
}
