//! The purge topic on PostgreSQL.
