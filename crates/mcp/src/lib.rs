//! The MCP surface: tools, resources and prompts over stdio and HTTP.
//!
//! Owns the translation between MCP and `memory`.
//! Never decides anything: it receives a ready `Memory` and calls it.
//! Empty until the MCP issue.
