//! The extractions topic on PostgreSQL.
