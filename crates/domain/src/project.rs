//! A project's folder name: readable, and never shared by two projects.

use crate::digest::Digest;

const READABLE: usize = 40;
const UNIQUE: usize = 12;

/// `<name with odd characters as _, at most 40>-<first 12 hex of SHA-256 of the identity>`.
///
/// Invariant: project_keys_never_collide (the hash is of the identity, not of the cleaned name).
pub fn key(name: &str, identity: &str) -> String {
    let clean = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' };
    let mut readable: String = name.chars().map(clean).take(READABLE).collect();
    if readable.is_empty() {
        readable.push('_');
    }
    let digest = Digest::of(identity.as_bytes()).to_string();
    format!("{readable}-{}", &digest[..UNIQUE])
}

/// True for `[A-Za-z0-9._-]{1,64}` that is not made of dots only: what a workspace id may be.
pub fn is_workspace_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
        && !id.bytes().all(|b| b == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn project_keys_never_collide() {
        assert_ne!(key("a_b", "/x/a_b"), key("a-b", "/x/a-b"));
        assert_ne!(key("b-c", "/a/b-c"), key("c", "/a/b/c"));
        assert_eq!(key("ünï cøde", "/u").split_once('-').unwrap().0, "_n__c_de");
        assert_eq!(key(&"L".repeat(60), "/l").len(), 40 + 1 + 12);
        assert!(key("", "/").starts_with("_-"));
    }

    #[test]
    fn workspace_ids_are_no_paths() {
        for good in ["w1", "ws_01HZ", "a.b-c", &"x".repeat(64)] {
            assert!(is_workspace_id(good), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "/abs", "a b", "ü", &"x".repeat(65)] {
            assert!(!is_workspace_id(bad), "{bad}");
        }
    }
}
