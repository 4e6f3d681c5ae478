//! The undo topic on PostgreSQL.
