//! The HTTP surface: routes, the task lane, live events, auth, and the worker child.
//!
//! Owns the translation between HTTP and `memory`, and the lane that runs memory tasks one at a time.
//! Never decides what is remembered, and knows neither MCP nor the web page: `cli` mounts both.
//! Start at [`Daemon`] (what every route is given), then `router.rs` (the list of routes), then `guard.rs` (what a
//! request meets before its route).

mod acp;
mod auth;
mod bells;
mod body;
mod clients;
mod daemon;
mod events;
mod fault;
mod feed;
mod framing;
mod guard;
mod herald;
mod lane;
mod listen;
mod metrics;
mod names;
mod now;
mod path;
mod patient;
mod query;
mod rate;
mod router;
mod routes;
mod setup;
mod timely;
mod upkeep;
mod words;

pub use acp::host::Spawn;
pub use acp::worker::{Desk, Display, Opened, work};
pub use auth::{Caller, Keys, Rights, fresh_key, hash};
pub use body::Fields;
pub use clients::Client;
pub use daemon::{Bound, Daemon, Settings};
pub use fault::{ErrorBody, Refusal};
pub use lane::Settings as LaneSettings;
pub use listen::Listener;
pub use now::{Now, Settled};
pub use router::{openapi, router};
pub use routes::accounts::{AgentRow, AgentRows, SandboxRow, SandboxRows, WorkspaceRow};
pub use routes::conversations::{ConversationRows, ConversationShown};
pub use routes::pipeline::JobRow;
pub use setup::{
    Connecting, Connection, ConnectionChange, ConnectionFile, ConnectionLevel, ModelTest, SettingRow, Setup,
};
