//! The upkeep topic on PostgreSQL.
