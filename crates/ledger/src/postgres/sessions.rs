//! The sessions topic on PostgreSQL.
