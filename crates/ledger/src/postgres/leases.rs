//! The leases topic on PostgreSQL.
