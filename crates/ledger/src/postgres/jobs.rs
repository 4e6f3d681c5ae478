//! The jobs topic on PostgreSQL.
