//! The vectors topic on PostgreSQL.
