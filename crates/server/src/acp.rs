//! The worker child: both ends of one pipe.
//!
//! Owns the Agent Client Protocol as far as Loci speaks it: JSON-RPC 2.0, one message a line. Types of the protocol are
//! those of its own schema; what is said beside it has names that begin with `_loci/`.
//! Start at `wire.rs` (what is said), then `worker.rs` (who answers), then `host.rs` (who asks).

pub mod host;
pub mod prompt;
pub mod verbs;
pub mod wire;
pub mod worker;
