//! The web page as the build of `web/` left it, inside the binary.
//!
//! Owns the bytes, their media types and the policy under which a browser may run them. Never answers a request: `cli`
//! mounts the page. A crate of its own so that a change of the page rebuilds this leaf and nothing else.
//! Start at [`html`] and [`file`].

mod embedded {
    //! What the build script listed.
    #![allow(missing_docs)]
    use crate::File;
    include!(concat!(env!("OUT_DIR"), "/table.rs"));
}

/// One asset; its name changes with its bytes, so that it may be kept for ever.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Its address.
    pub path: &'static str,
    /// As they are.
    pub bytes: &'static [u8],
    /// The same, packed.
    pub gzip: Option<&'static [u8]>,
}

/// What stands in the page where each answer has its own nonce.
const NONCE: &str = "{{nonce}}";

/// What is shown when the binary was built without the page.
const LEFT_OUT: &str = include_str!("left_out.html");

/// Whether the page is in this binary.
pub fn is_built() -> bool {
    embedded::INDEX.is_some()
}

/// The page, with a nonce that [`policy`] must know, too.
pub fn html(nonce: &str) -> String {
    embedded::INDEX.unwrap_or(LEFT_OUT).replace(NONCE, nonce)
}

/// The asset at an address.
pub fn file(path: &str) -> Option<&'static File> {
    embedded::FILES.iter().find(|file| file.path == path)
}

/// Every asset.
pub fn files() -> &'static [File] {
    embedded::FILES
}

/// The Content-Security-Policy: nothing but what this daemon serves. Style sheets that CodeMirror makes at run time carry
/// the nonce; scripts are files, and nothing else.
pub fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self'; font-src 'self'; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
    )
}

impl File {
    /// Its media type.
    pub fn kind(&self) -> &'static str {
        match self.path.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            _ => "application/octet-stream",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a first visit may cost at most, packed, all views together.
    const MOST: usize = 400_000;

    #[test]
    fn each_answer_has_its_own_nonce() {
        assert!(html("abc").contains("abc") || !is_built());
        assert!(!html("abc").contains(NONCE));
        assert!(policy("abc").contains("'nonce-abc'"));
    }

    #[test]
    fn all_that_the_page_names_is_there() {
        let page = html("abc");
        for address in page.split('"').filter(|part| part.starts_with("/assets/")) {
            assert!(file(address).is_some(), "{address}");
        }
        assert!(file("/assets/../table.rs").is_none());
    }

    #[test]
    fn the_page_stays_small() {
        let packed: usize = files().iter().map(|file| file.gzip.unwrap_or(file.bytes).len()).sum();
        assert!(packed <= MOST, "{packed} bytes");
    }

    #[test]
    fn nothing_is_inline_and_nothing_comes_from_elsewhere() {
        let page = html("abc");
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" on"), "{page}");
        assert!(page.split("<script").skip(1).all(|script| script.contains(" src=\"/assets/")), "{page}");
        assert!(!page.contains("http:") && !page.contains("https:"), "{page}");
    }
}
