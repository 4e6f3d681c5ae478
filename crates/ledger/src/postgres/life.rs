//! The life topic on PostgreSQL.
