//! The tasks topic on PostgreSQL.
