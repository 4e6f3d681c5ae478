//! A checkout works anywhere: no registry's host, no path of one machine.
//!
//! Where crates and packages come from is the business of the person who builds, by their own settings.

use super::{Complaint, numbered};
use crate::repo::File;

// In two pieces each, so that this file keeps its own rule.
const HOSTS: &[&str] = &[
    concat!("crates", ".io"),
    concat!("py", "pi.org"),
    concat!("registry.npm", "js.org"),
    concat!("deb.deb", "ian.org"),
];
const FOLDERS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

pub fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files {
        for (number, line) in numbered(&file.text) {
            if let Some(host) = HOSTS.iter().find(|host| has_host(line, host)) {
                complaints.push(Complaint::new(
                    file,
                    number,
                    format!("the host {host}"),
                    "leave it to the settings of who builds",
                ));
            }
            if let Some(folder) = FOLDERS.iter().find(|folder| has_folder(line, folder)) {
                complaints.push(Complaint::new(
                    file,
                    number,
                    format!("the machine path {folder}"),
                    "use a path relative to the checkout",
                ));
            }
        }
    }
    complaints
}

/// True when `host`, or a host below it, is the host of a URL in the line.
fn has_host(line: &str, host: &str) -> bool {
    line.match_indices("//").any(|(at, _)| {
        let authority = line[at + 2..]
            .split(|sign: char| !(sign.is_alphanumeric() || "-._@:".contains(sign)))
            .next()
            .unwrap_or_default();
        let name = authority
            .rsplit('@')
            .next()
            .unwrap_or_default()
            .split(':')
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        name.strip_suffix(host).is_some_and(|below| below.is_empty() || below.ends_with('.'))
    })
}

/// True when an absolute path in the line starts with `folder`.
fn has_folder(line: &str, folder: &str) -> bool {
    let inside_a_path = |sign: char| sign.is_alphanumeric() || "._-~$})>*/".contains(sign);
    line.match_indices(folder).any(|(at, _)| !line[..at].chars().next_back().is_some_and(inside_a_path))
}

#[cfg(test)]
mod tests {
    use super::super::complaints;
    use super::*;

    #[test]
    fn names_without_an_address_are_fine() {
        let text = format!(
            "published on {}\nregistry+https://github.com/rust-lang/{}-index\nhttps://example.org/{}/x\n~{}a $LOCI_DIR{}a ..{}a\n",
            HOSTS[0], HOSTS[0], HOSTS[1], FOLDERS[0], FOLDERS[1], FOLDERS[2]
        );
        assert_eq!(complaints(check, &[("docs/a.md", &text)]), [""; 0]);
    }

    #[test]
    fn hosts_in_addresses_are_named() {
        for host in HOSTS {
            for text in [
                format!("https://{host}/x"),
                format!("see `https://static.{host}`"),
                format!("url = \"http://{host}:80\""),
            ] {
                assert_eq!(
                    complaints(check, &[("a.toml", &text)]),
                    [format!("a.toml:1: the host {host}; leave it to the settings of who builds")],
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn machine_paths_are_named() {
        for folder in FOLDERS {
            for text in [
                format!("cd {folder}x"),
                format!("\"{folder}x\""),
                format!("{folder}x"),
                format!("file://{folder}x").replace("//", ":"),
            ] {
                assert_eq!(
                    complaints(check, &[("a.sh", &text)]),
                    [format!("a.sh:1: the machine path {folder}; use a path relative to the checkout")],
                    "{text}"
                );
            }
        }
    }
}
