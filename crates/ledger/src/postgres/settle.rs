//! The settle topic on PostgreSQL.
