//! Which machine, as whom, and where on it.
//!
//! Owns the URL form. Nothing in it ever reaches a shell, and nothing in it can be an option of `ssh`.

use loci_domain::fault::Fault;
use loci_store::{Error, Result};
use std::fmt;

/// How a URL of this kind starts.
pub const SCHEME: &str = "ssh://";

/// A folder on another machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Whom to be there; `None` = the user's own ssh decides.
    pub user: Option<String>,
    /// The machine, or a name of the user's ssh configuration.
    pub host: String,
    /// `None` = the user's own ssh decides.
    pub port: Option<u16>,
    /// The folder, absolute, without a slash at its end.
    pub path: String,
}

impl Address {
    /// Reads `ssh://[user@]host[:port]/path`; `%xx` in it stands for a byte.
    pub fn parse(url: &str) -> Result<Address> {
        let rest = url.strip_prefix(SCHEME).ok_or_else(|| invalid("it is written ssh://[user@]host[:port]/path"))?;
        let (authority, path) = rest.split_once('/').ok_or_else(|| invalid("it names no folder"))?;
        let (user, machine) = match authority.rsplit_once('@') {
            Some((user, machine)) => (Some(decoded(user)?), machine),
            None => (None, authority),
        };
        let (host, port) = host_and_port(machine)?;
        let path = format!("/{}", decoded(path)?.trim_end_matches('/'));
        let address = Address { user, host: host.to_owned(), port, path };
        address.check()?;
        Ok(address)
    }

    /// The address as [`Address::parse`] reads it.
    pub fn url(&self) -> String {
        let user = self.user.as_ref().map(|user| format!("{user}@")).unwrap_or_default();
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
        let path: String = self
            .path
            .bytes()
            .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect();
        format!("{SCHEME}{user}{host}{port}{path}")
    }

    fn check(&self) -> Result<()> {
        let fine = |text: &str, extra: &str| {
            !text.is_empty()
                && !text.starts_with('-')
                && text.chars().all(|sign| sign.is_ascii_alphanumeric() || extra.contains(sign))
        };
        if self.user.as_deref().is_some_and(|user| user.contains(':')) {
            return Err(invalid("a password has no place in it; use a key"));
        }
        if self.user.as_deref().is_some_and(|user| !fine(user, "._-+")) {
            return Err(invalid("its user is no name"));
        }
        if !fine(&self.host, "._-:") {
            return Err(invalid("its host is no name"));
        }
        let inner = self.path.trim_start_matches('/');
        if inner.is_empty() || inner.split('/').any(|segment| matches!(segment, "" | "." | "..")) {
            return Err(invalid("its path is no folder"));
        }
        if self.path.contains(char::is_control) {
            return Err(invalid("its path holds a control character"));
        }
        Ok(())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the path: it is in no answer.
        f.write_str(&self.host)
    }
}

fn host_and_port(machine: &str) -> Result<(&str, Option<u16>)> {
    let (host, port) = match machine.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']').ok_or_else(|| invalid("its host has no closing bracket"))?;
            match after {
                "" => (host, None),
                after => (host, Some(after.strip_prefix(':').ok_or_else(|| invalid("its host is no name"))?)),
            }
        }
        None => match machine.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (machine, None),
        },
    };
    let number =
        |port: &str| port.parse::<u16>().ok().filter(|port| *port > 0).ok_or_else(|| invalid("its port is no number"));
    Ok((host, port.map(number).transpose()?))
}

fn decoded(text: &str) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(code.ok_or_else(|| invalid("a % in it is not followed by two hexadecimal digits"))?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8"))
}

fn invalid(reason: &str) -> Error {
    Error::refused(Fault::Invalid, format!("this ssh:// address cannot be used: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        let address = |user: Option<&str>, host: &str, port, path: &str| Address {
            user: user.map(str::to_owned),
            host: host.to_owned(),
            port,
            path: path.to_owned(),
        };
        for (url, expected) in [
            ("ssh://host/a", address(None, "host", None, "/a")),
            ("ssh://me@host:2222/a/b/", address(Some("me"), "host", Some(2222), "/a/b")),
            ("ssh://[::1]:22/a", address(None, "::1", Some(22), "/a")),
            ("ssh://h/it%27s%20a%20%22dir%22%3B%20$(x)", address(None, "h", None, "/it's a \"dir\"; $(x)")),
        ] {
            assert_eq!(Address::parse(url).unwrap(), expected, "{url}");
            assert_eq!(Address::parse(&expected.url()).unwrap(), expected, "{}", expected.url());
        }
    }

    #[test]
    fn options_and_passwords_are_refused() {
        for url in [
            "ssh://-oProxyCommand=touch%20x/a",
            "ssh://-oProxyCommand=x@host/a",
            "ssh://me:secret@host/a",
            "ssh://host name/a",
            "ssh://$(id)/a",
            "ssh://host;id/a",
            "ssh://host:0/a",
            "ssh://host:x/a",
            "ssh://host",
            "ssh://host/",
            "ssh:///a",
            "ssh://host/a/../b",
            "ssh://host/a//b",
            "ssh://host/a%0ab",
            "ssh://host/a%zz",
            "ssh://host/%ff",
        ] {
            assert!(Address::parse(url).is_err(), "{url}");
        }
    }
}
