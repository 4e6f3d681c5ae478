//! The journal topic on PostgreSQL.
