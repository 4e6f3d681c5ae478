//! Port: memory for whatever project a job belongs to. Jobs of all projects of a home are done by one worker.

use crate::Settings;
use async_trait::async_trait;
use loci_memory::{Memory, dream};
use loci_store::Book;
use serde::{Deserialize, Serialize};

/// Which memory a job works in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Where {
    /// The directory that the agent works in; none = no project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The account; none = `local`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
}

/// Memory, and what settings say for it right now.
pub struct Room {
    /// The memory itself.
    pub memory: Memory,
    /// Whether machines may extract.
    pub extract: bool,
    /// The gates and limits of dreaming.
    pub dream: dream::Settings,
    /// Where the memory roots lie, as an agent on this machine would name them.
    pub roots: Vec<String>,
}

/// Where the handbook of a project is made.
pub struct Desk {
    /// Memory with its models and prompts.
    pub memory: Memory,
    /// Why the project wants no handbook; `None` = it wants one.
    pub off: Option<String>,
    /// The handbook itself.
    pub book: Book,
}

/// Opens memory.
#[async_trait]
pub trait Rooms: Send + Sync {
    /// The memory for a place; the error is for a log and holds no content.
    async fn open(&self, place: &Where) -> Result<Room, String>;

    /// The desk of a project by its identity, also when its directory is gone.
    async fn desk(&self, project: &str) -> Result<Desk, String>;

    /// What settings say of the phases right now.
    fn settings(&self) -> Result<Settings, String>;
}
