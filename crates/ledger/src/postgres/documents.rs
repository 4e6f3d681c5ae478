//! The documents topic on PostgreSQL.
