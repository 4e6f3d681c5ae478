//! Background work: transcripts become memories in two phases.
//!
//! Owns job kinds and the one place where a job is claimed, run and settled.
//! Never talks to a person; what it did is read from the ledger.
//! Empty until the pipeline issue.
