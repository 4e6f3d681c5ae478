//! The clients topic on PostgreSQL.
