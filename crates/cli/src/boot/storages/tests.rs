use super::*;
use loci_ledger::Sqlite;
use std::path::Path;

fn disk(home: &Path) -> Arc<dyn Site> {
    Arc::new(loci_store::site::Disk::new(home.to_owned()))
}

fn places(home: &Path) -> OwnStorages {
    let ledger = Arc::new(Sqlite::in_memory().unwrap());
    OwnStorages::new(&Config::defaults().unwrap(), disk(home), None, ledger)
}

fn s3_at(bucket: Option<&str>, endpoint: Option<&str>) -> Storage {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Storage::S3 { bucket: owned(bucket), prefix: None, endpoint: owned(endpoint), region: None }
}

/// The field that is to blame.
fn blamed(account: &str, storage: &Storage) -> Option<String> {
    match places(Path::new("/nowhere")).open(account, "ws_x", storage) {
        Ok(_) => None,
        Err(Error::Form(bad)) => Some(bad.field),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let ssh = |url: &str| Storage::Ssh { url: url.to_owned() };
    for (account, storage, field) in [
        (LOCAL, s3_at(None, None), "bucket"),
        ("acct_b", s3_at(None, None), "bucket"),
        ("acct_b", s3_at(Some("abc"), Some("https://host")), "endpoint"),
        ("acct_b", ssh("ssh://host/srv"), "provider"),
        (LOCAL, ssh("ssh://-oProxyCommand=x/srv"), "url"),
    ] {
        assert_eq!(blamed(account, &storage).as_deref(), Some(format!("config.storage.{field}").as_str()), "{storage}");
    }
    assert_eq!(blamed(LOCAL, &Storage::Local), None);
    assert_eq!(blamed(LOCAL, &ssh("ssh://me@host:22/srv")), None);
}

#[test]
fn only_the_disk_has_a_folder() {
    let (home, storages) = (Path::new("/nowhere"), places(Path::new("/nowhere")));
    let folder = |account: &str, storage: &Storage| storages.open(account, "ws_x", storage).unwrap().folder;
    assert_eq!(folder(LOCAL, &Storage::Local), Some(home.join("workspaces/ws_x")));
    assert_eq!(folder("acct_b", &Storage::Local), Some(home.join("accounts/acct_b/workspaces/ws_x")));
    assert_eq!(folder(LOCAL, &Storage::Ssh { url: "ssh://me@host/srv".to_owned() }), None);
}

#[test]
fn memory_keeps_its_name_in_the_ledger_wherever_it_lies() {
    let places = Places {
        home: "/nowhere".into(),
        site: disk(Path::new("/nowhere")),
        checkout: None,
        account: None,
        project: Err(String::new()),
        workspace: Ok("ws_x".to_owned()),
    };
    let storage = Storage::Ssh { url: "ssh://me@host/srv".to_owned() };
    let there = super::tests::places(Path::new("/nowhere")).root(&places, "ws_x", &storage).unwrap();
    assert_eq!(there.key, places.workspace_root("ws_x").key);
}
