//! Heavy backends: object storage and SSH.
//!
//! Owns the implementations of `store::Backend` that need a network and large dependencies.
//! Never decides where a scope lives: `cli` opens a backend from settings and hands it to the store.
//! Empty until the scale-out issue: `s3.rs` and `ssh.rs` will each call the contract suite of `testkit`.
