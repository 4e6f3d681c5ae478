//! The accounts topic on PostgreSQL.
