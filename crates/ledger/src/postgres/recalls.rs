//! The recalls topic on PostgreSQL.
