//! The tombstones topic on PostgreSQL.
