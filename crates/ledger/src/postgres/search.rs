//! The search topic on PostgreSQL.
