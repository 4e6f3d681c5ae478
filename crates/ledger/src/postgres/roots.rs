//! The roots topic on PostgreSQL.
