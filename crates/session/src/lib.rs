//! Conversations: one turn from claim to release.
//!
//! Owns claims, leases, ingress, turn context, pruning, compaction, and the tools of bound workspaces.
//! Never speaks HTTP and never decides what is remembered.
//! Empty until the conversations issue.
