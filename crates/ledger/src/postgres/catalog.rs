//! The catalog topic on PostgreSQL.
