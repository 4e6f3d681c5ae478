//! The images topic on PostgreSQL.
