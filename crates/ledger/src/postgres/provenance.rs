//! The provenance topic on PostgreSQL.
