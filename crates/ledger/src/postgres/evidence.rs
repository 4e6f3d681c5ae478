//! The evidence topic on PostgreSQL.
