//! The turns topic on PostgreSQL.
