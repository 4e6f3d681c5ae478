//! The HTTP surface: routes, the task lane, live events, auth, and the worker child.
//!
//! Owns the translation between HTTP and `memory`, and the lane that runs memory tasks one at a time.
//! Never decides what is remembered, and knows neither MCP nor the web page: `cli` mounts both.
//! Start at [`Daemon`] (what every route is given), then `router.rs` (the list of routes), then `guard.rs` (what a
//! request meets before its route).

mod auth;
mod body;
mod clients;
mod daemon;
mod desk;
mod fault;
mod guard;
mod listen;
mod names;
mod now;
mod query;
mod rate;
mod router;
mod routes;
mod words;

pub use auth::{Caller, Keys, Rights};
pub use body::Fields;
pub use clients::Client;
pub use daemon::{Bound, Daemon, Settings, Switches};
pub use desk::{Desk, ModelTest, SettingRow};
pub use fault::{ErrorBody, Refusal};
pub use listen::{Listener, serve};
pub use now::{Now, Settled};
pub use router::{openapi, router};
