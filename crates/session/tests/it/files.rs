//! Files of a workspace: by their version, inside it, and none of memory's own.

use crate::House;
use loci_domain::secrets::Clean;
use loci_ledger::LOCAL;
use loci_session::Error;
use loci_session::files::path;
use loci_store::local::{Local, Modes};
use loci_store::{Backend, Care, Expect};

#[tokio::test]
async fn paths_stay_in_the_workspace() {
    for bad in
        ["../up.md", "/etc/passwd", "a//b", ".", "~/x", "a\\b", "%2e%2e/x", ".hidden", "a/.git/x", "", &"n".repeat(300)]
    {
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
    let other = path("c.md").unwrap();
    files.write(&other, "three".to_owned(), Expect::Absent).await.unwrap();
    let error = files.rename(&other, &at).await.unwrap_err();
    assert_eq!((error.to_string().as_str(), error.code()), ("there is a file at newPath already", "conflict"));
    assert!(matches!(error, Error::Occupied { now } if now == Some(first)), "{error:?}");
    house.runtime.remove_workspace(LOCAL, &id).await.unwrap();
    assert!(matches!(house.runtime.files(LOCAL, &id).await, Err(Error::Missing { .. })));
    assert_eq!(files.read(&at).await.unwrap(), None);
}

#[tokio::test]
async fn nothing_of_a_removed_account_or_workspace_is_left_on_the_disk() {
    let house = House::new();
    let account = house.runtime.add_account("beta", [7; 32]).await.unwrap().id;
    let body = serde_json::json!({"name": "notes", "config": {"storage": {"provider": "local"}}});
    let there = house.runtime.add(loci_ledger::Holding::Workspace, &account, body).await.unwrap().id;
    let own = house.workspace("own").await;
    let folders = [
        vec!["accounts", &account, "memory"],
        vec!["accounts", &account, "workspaces", &there, "memory"],
        vec!["workspaces", &own, "memory"],
    ];
    for inside in folders {
        let memory = Local::new(house.home().to_owned(), &inside, Modes::Private);
        // The third one is exchanged with the second, which stays as the spare.
        for text in ["one", "two", "three"] {
            let bytes = Clean::kept(text.as_bytes().to_vec());
            memory.write_if(&path("MEMORY.md").unwrap(), &bytes, Expect::Anything, Care::Derived).await.unwrap();
        }
    }
    let spares = || std::fs::read_dir(house.home().join("spare")).unwrap().count();
    assert_eq!(spares(), 3);
    house.runtime.remove_account("beta").await.unwrap();
    assert!(!house.home().join("accounts").join(&account).exists());
    assert_eq!(spares(), 1);
    house.runtime.remove_workspace(LOCAL, &own).await.unwrap();
    assert_eq!(spares(), 0);
}
