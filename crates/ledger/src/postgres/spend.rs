//! The spend topic on PostgreSQL.
