//! The prune topic on PostgreSQL.
