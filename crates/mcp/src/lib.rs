//! The MCP surface: tools, resources and prompts over stdio and HTTP.
//!
//! Owns the translation between MCP and `memory`, and how long a client may keep us busy.
//! Never decides anything: it receives a ready `Memory` and calls it. Knows neither the daemon nor the command line.
//! Start at `server.rs` (what is offered), then `tools.rs` (one file a tool), then `stdio.rs` and `http.rs`.

mod arguments;
mod fault;
mod greeting;
mod guest;
mod http;
mod prompts;
mod resources;
mod server;
mod sessions;
mod stdio;
mod tools;
mod warnings;
mod watch;

pub use guest::Guest;
pub use http::{Http, Limits};
pub use server::Mcp;
pub use stdio::{converse, serve};
