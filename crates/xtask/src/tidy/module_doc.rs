//! Each module opens with what it owns.
//!
//! Test modules are left out: they are about the file that they test.

use super::Complaint;
use crate::repo::File;

pub fn check(files: &[File]) -> Vec<Complaint> {
    let modules = files.iter().filter(|file| file.is_rust() && file.path.contains("/src/") && !file.is_test());
    let silent = modules.filter(|file| !file.text.starts_with("//! "));
    silent.map(|file| Complaint::new(file, 1, "no module doc", "open with //! and what the module owns")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    #[test]
    fn a_doc_comes_first() {
        assert_eq!(
            complaints(
                check,
                &[("crates/a/src/a.rs", "//! Owns it.\nuse b;\n"), ("crates/a/src/a/tests.rs", "use super::*;\n")]
            ),
            [""; 0]
        );
    }

    #[test]
    fn a_file_without_doc_is_named() {
        assert_eq!(
            complaints(check, &[("crates/a/src/a.rs", "use b;\n//! Owns it.\n")]),
            ["crates/a/src/a.rs:1: no module doc; open with //! and what the module owns"]
        );
    }
}
