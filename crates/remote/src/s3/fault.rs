//! What an object store answers when it does not, in words that name no key, no address and nobody's name.

use loci_domain::fault::Fault;
use loci_store::Error;

/// The store's error for one of the library's.
///
/// The library's own words are left out: they hold the address, and what the server sent back may hold the key's name.
pub(super) fn told(error: object_store::Error) -> Error {
    use object_store::Error as Cause;
    // What a listing fails with has no kind of its own, only the status in its words.
    let words = error.to_string();
    let text = match (&error, status(&words)) {
        (Cause::PermissionDenied { .. } | Cause::Unauthenticated { .. }, _) | (_, Some(401 | 403)) => {
            REFUSED.to_owned()
        }
        // A key that is not there is no error for us, so it is the bucket.
        (Cause::NotFound { .. }, _) => NO_BUCKET.to_owned(),
        (_, Some(404)) if words.contains("NoSuchBucket") => NO_BUCKET.to_owned(),
        (_, Some(404)) => NOTHING_THERE.to_owned(),
        (Cause::InvalidPath { .. }, _) => {
            "a key in the object storage is no path; remove it with the storage's own tools".to_owned()
        }
        (Cause::NotImplemented { .. } | Cause::NotSupported { .. }, _) => NO_CONDITIONS.to_owned(),
        (_, Some(status)) => format!("the object storage answers {status}; try again later"),
        (_, None) => "the object storage cannot be reached; try again later".to_owned(),
    };
    Error::refused(Fault::Offline, text)
}

const REFUSED: &str = "the object storage refuses these credentials: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do in the bucket";
const NO_BUCKET: &str = "there is no such bucket in the object storage: make it, or check its name and the endpoint";

const NOTHING_THERE: &str =
    "there is no object storage at that address, or no such bucket in it: check the bucket's name and the endpoint";

/// True when the storage itself said that there is no such bucket, and so nothing in it.
pub fn is_no_bucket(error: &Error) -> bool {
    matches!(error, Error::Refused { text, .. } if text == NO_BUCKET)
}

/// For a server that takes a write whatever the condition.
pub(super) const NO_CONDITIONS: &str = "the object storage does not keep the conditions of a write (If-Match, If-None-Match), so two writers could overwrite each other; use one that does";

/// True when the write may have happened, though nobody said so.
pub(super) fn is_unsure(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::Generic { .. })
}

/// True when a condition did not hold.
pub(super) fn is_conflict(error: &object_store::Error) -> bool {
    use object_store::Error as Cause;
    matches!(error, Cause::AlreadyExists { .. } | Cause::Precondition { .. } | Cause::NotModified { .. })
}

/// True when one of the keys to be deleted was not there, which some servers call an error. A whole request that finds
/// nothing is another thing: then there is no bucket.
pub(super) fn is_gone(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::Generic { .. }) && error.to_string().contains("(code: NoSuchKey)")
}

fn status(text: &str) -> Option<u16> {
    let (_, after) = text.split_once("status code: ")?;
    after.get(..3)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_name_the_status_and_nothing_else() {
        let source =
            "PUT http://host/b/key - Server returned non-2xx status code: 503 Service: <AWSAccessKeyId>AK</..>";
        let told = told(object_store::Error::Generic { store: "S3", source: source.into() }).to_string();
        assert_eq!(told, "the object storage answers 503; try again later");
        let other = super::told(object_store::Error::Generic { store: "S3", source: "dns".into() }).to_string();
        assert_eq!(other, "the object storage cannot be reached; try again later");
    }

    #[test]
    fn a_key_that_is_gone_is_told_from_a_bucket_that_is_not_there() {
        let failed = |code| format!("DeleteObjects request failed for key a/b: told (code: {code})").into();
        assert!(is_gone(&object_store::Error::Generic { store: "S3", source: failed("NoSuchKey") }));
        assert!(!is_gone(&object_store::Error::Generic { store: "S3", source: failed("AccessDenied") }));
        assert!(!is_gone(&object_store::Error::NotFound { path: "a/b".to_owned(), source: "no bucket".into() }));
    }
}
