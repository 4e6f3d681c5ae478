//! A workspace record: a name, where its files lie, and whether agents are told how to use it.
//!
//! Owns what such a record may say, and the namespace of its files.

mod storage;

pub use storage::Storage;

use crate::digest::Digest;
use crate::form::{Bad, Form};
use serde_json::Value;

/// What a workspace's id starts with.
pub const PREFIX: &str = "ws_";

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// What a person calls it.
    pub name: String,
    /// Where its files lie.
    pub storage: Storage,
    /// Whether agents are told how to use it; its `MEMORY.md` is loaded in any case.
    pub harness: bool,
}

impl Workspace {
    /// Reads a record; a field that it cannot have is named.
    pub fn read(body: &Value) -> Result<Workspace, Bad> {
        let form = Form::of(body, "", &["name", "config"])?;
        let name = form.name("name")?.to_owned();
        let config = form.inside("config", &["storage", "harness"])?;
        let config =
            config.ok_or_else(|| form.bad("config", "is missing; give {\"storage\": {\"provider\": \"local\"}}"))?;
        let harness = config.inside("harness", &["enabled"])?;
        let harness = harness.map(|harness| harness.switch("enabled")).transpose()?.flatten();
        Ok(Workspace { name, storage: Storage::read(&config)?, harness: harness.unwrap_or(true) })
    }
}

/// The namespace of a workspace's files: nobody can guess or choose that of somebody else.
pub fn namespace(account: &str, workspace: &str) -> String {
    let digest = Digest::of(format!("filesystem-namespace\0{account}:{workspace}").as_bytes()).to_string();
    format!("fs-{}", &digest[..40])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_namespace_is_that_of_the_contract() {
        assert_eq!(namespace("acct_1", "ws_notes"), "fs-19f23fa8611c62fe9d17e734e658c9304a87c90b");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |body: Value, want: &str| {
            assert_eq!(Workspace::read(&body).map_err(|bad| bad.field).unwrap_err(), want, "{body}");
        };
        let config = |storage: Value| json!({"name": "x", "config": {"storage": storage}});
        check(json!({"config": {"storage": {"provider": "local"}}}), "name");
        check(json!({"name": "x"}), "config");
        check(config(json!({})), "config.storage.provider");
        check(config(json!("local")), "config.storage");
        check(config(json!({"provider": "s3", "bucket": "b"})), "config.storage.bucket");
        check(config(json!({"provider": "local", "bucket": "b"})), "config.storage.bucket");
        check(config(json!({"provider": "local", "buckett": "b"})), "config.storage.buckett");
        let quiet = json!({"name": "x", "config": {"storage": {"provider": "local"}, "harness": {"enabled": false}}});
        assert!(!Workspace::read(&quiet).unwrap().harness);
    }
}
