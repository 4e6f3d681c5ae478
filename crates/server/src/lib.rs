//! The HTTP surface: routes, the task lane, live events, auth, and the worker child.
//!
//! Owns the translation between HTTP and `memory`, and the lane that runs memory tasks one at a time.
//! Never decides what is remembered, and knows neither MCP nor the web page: `cli` mounts both.
//! Empty until the daemon issue.
