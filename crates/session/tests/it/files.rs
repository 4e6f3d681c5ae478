//! Files of a workspace: by their version, inside it, and none of memory's own.

use crate::House;
use loci_ledger::LOCAL;
use loci_session::Error;
use loci_session::files::path;
use loci_store::Expect;

#[tokio::test]
async fn paths_stay_in_the_workspace() {
    for bad in ["../up.md", "/etc/passwd", "a//b", ".", "~/x", "a\\b", "%2e%2e/x", ".hidden", "a/.git/x", ""] {
        assert!(matches!(path(bad), Err(Error::Path(_))), "{bad}");
    }
    let house = House::new();
    let id = house.workspace("notes").await;
    let files = house.runtime.files(LOCAL, &id).await.unwrap();
    let inside = path("memory/user/tea.md").unwrap();
    assert!(matches!(files.write(&inside, "x".to_owned(), Expect::Absent).await, Err(Error::Path(_))));
    assert!(matches!(house.runtime.files("acct_b", &id).await, Err(Error::Missing { .. })));
}

#[tokio::test]
async fn a_conflict_tells_the_version_that_is_there() {
    let house = House::new();
    let id = house.workspace("notes").await;
    let files = house.runtime.files(LOCAL, &id).await.unwrap();
    let at = path("a.md").unwrap();
    let first = files.write(&at, "one".to_owned(), Expect::Absent).await.unwrap();
    for expect in [Expect::Absent, Expect::Is(loci_domain::digest::Digest::of(b"other"))] {
        let error = files.write(&at, "two".to_owned(), expect).await.unwrap_err();
        assert!(matches!(error, Error::Conflict { now } if now == Some(first)), "{error:?}");
    }
    let error = files.rename(&path("b.md").unwrap(), &at).await.unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error:?}");
    house.runtime.remove_workspace(LOCAL, &id).await.unwrap();
    assert!(matches!(house.runtime.files(LOCAL, &id).await, Err(Error::Missing { .. })));
    assert_eq!(files.read(&at).await.unwrap(), None);
}
