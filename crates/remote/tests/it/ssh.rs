//! Another machine, by OpenSSH's server on this one.

use loci_domain::digest::Digest;
use loci_domain::path::EntryPath;
use loci_domain::secrets::Clean;
use loci_remote::ssh::{Address, Settings, Ssh};
use loci_store::{Backend, Care, Error, Expect, Lock, Node, Show};
use loci_testkit::servers::sshd::{Known, Sshd};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

loci_testkit::backend_contract!({
    let (server, folder) = (Sshd::start(), tempfile::tempdir().unwrap());
    (open(&server, folder.path()).inside(&[".loci", "memory"]), (server, folder))
});

fn open(server: &Sshd, folder: &Path) -> Ssh {
    opened(server, folder, Known::Right)
}

fn opened(server: &Sshd, folder: &Path, known: Known) -> Ssh {
    let settings = Settings { identity: Some(server.identity()), known_hosts: Some(server.known_hosts(known)) };
    Ssh::new(Address::parse(&server.url(folder)).unwrap(), &settings).unwrap()
}

fn place() -> (Sshd, TempDir, Ssh) {
    let (server, folder) = (Sshd::start(), tempfile::tempdir().unwrap());
    let place = open(&server, folder.path());
    (server, folder, place)
}

fn at(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn text(text: &str) -> Clean {
    Clean::kept(text.as_bytes().to_vec())
}

async fn put(place: &Ssh, path: &str, content: &str) {
    place.write_if(&at(path), &text(content), Expect::Absent, Care::Durable).await.unwrap();
}

async fn content(place: &Ssh, path: &str) -> Option<String> {
    place.read(&at(path), 1 << 20).await.unwrap().map(|blob| String::from_utf8(blob.bytes).unwrap())
}

#[tokio::test]
async fn a_host_key_that_is_not_the_known_one_is_refused() {
    let (server, folder) = (Sshd::start(), tempfile::tempdir().unwrap());
    for known in [Known::Wrong, Known::Nothing] {
        let place = opened(&server, folder.path(), known);
        let before = std::fs::read(server.known_hosts(known)).unwrap();
        let refused = place.write_if(&at("a.md"), &text("x"), Expect::Absent, Care::Durable).await.unwrap_err();
        assert!(refused.to_string().contains("host key"), "{refused}");
        assert_eq!(std::fs::read(server.known_hosts(known)).unwrap(), before, "a key was accepted in silence");
    }
    assert_eq!((server.logins(), std::fs::read_dir(folder.path()).unwrap().count()), (0, 0));
}

#[tokio::test]
async fn a_key_that_is_not_let_in_and_a_folder_that_is_not_there_are_told() {
    let (server, folder) = (Sshd::start(), tempfile::tempdir().unwrap());
    let other = server.identity().with_file_name("other");
    let settings = Settings { identity: Some(other), known_hosts: Some(server.known_hosts(Known::Right)) };
    let stranger = Ssh::new(Address::parse(&server.url(folder.path())).unwrap(), &settings).unwrap();
    let refused = stranger.stat(None).await.unwrap_err().to_string();
    assert!(refused.contains("refuses to let us in"), "{refused}");
    let missing = open(&server, &folder.path().join("none"));
    let refused = missing.stat(None).await.unwrap_err().to_string();
    assert!(refused.contains("not there") && !refused.contains("none"), "{refused}");
}

#[tokio::test]
async fn links_are_refused_and_never_followed() {
    let (_server, folder, place) = place();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("key"), "private").unwrap();
    symlink(outside.path(), folder.path().join("dir")).unwrap();
    symlink(outside.path().join("key"), folder.path().join("file.md")).unwrap();
    symlink(outside.path().join("new"), folder.path().join("dangling.md")).unwrap();
    for path in ["file.md", "dir", "dir/key", "dangling.md"] {
        let path = at(path);
        let answers = [
            place.stat(Some(&path)).await.map(drop),
            place.read(&path, 100).await.map(drop),
            place.write_if(&path, &text("x"), Expect::Absent, Care::Durable).await.map(drop),
            place.write_if(&path, &text("x"), Expect::Anything, Care::Derived).await.map(drop),
            place.write_if(&path, &text("x"), Expect::Is(Digest::of(b"private")), Care::Durable).await.map(drop),
            place.remove(&path).await,
            place.rename(&path, &at("moved.md")).await,
        ];
        for answer in answers {
            assert!(matches!(answer, Err(Error::Link)), "{path}: {answer:?}");
        }
    }
    put(&place, "a.md", "x").await;
    assert!(matches!(place.rename(&at("a.md"), &at("dir/a.md")).await, Err(Error::Link)));
    let listing = place.list(None, Show::All, 10).await.unwrap();
    assert_eq!((listing.files.len(), listing.refused.len()), (1, 3));
    // A link in a folder that goes is removed; what it points to stays.
    put(&place, "d/b.md", "x").await;
    symlink(outside.path(), folder.path().join("d/link")).unwrap();
    place.remove(&at("d")).await.unwrap();
    assert_eq!(std::fs::read_to_string(outside.path().join("key")).unwrap(), "private");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    // The root itself behind a link.
    assert!(matches!(place.inside(&["dir"]).list(None, Show::All, 10).await, Err(Error::Link)));
}

#[tokio::test]
async fn names_are_only_names() {
    let (server, base) = (Sshd::start(), tempfile::tempdir().unwrap());
    let folder = base.path().join("it's a \"dir\"; $(touch pwned) `id` -oX *");
    std::fs::create_dir(&folder).unwrap();
    let place = open(&server, &folder);
    for name in ["a b's $(touch pwned).md", "-rf.md", "; id #.md", "*?[x].md"] {
        put(&place, name, name).await;
        assert_eq!(std::fs::read_to_string(folder.join(name)).unwrap(), name);
    }
    place.rename(&at("-rf.md"), &at("d/-n.md")).await.unwrap();
    assert_eq!(place.list(None, Show::Visible, 10).await.unwrap().files.len(), 4);
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 1);
    assert_eq!(place.canonical().await.unwrap(), folder.canonicalize().unwrap());
}

#[tokio::test]
async fn a_connection_that_is_cut_is_made_again() {
    let (mut server, folder, place) = place();
    put(&place, "a.md", "one").await;
    server.kill();
    server.restart();
    // Found broken in the middle of the call, and connected anew.
    assert_eq!(content(&place, "a.md").await.as_deref(), Some("one"));
    server.kill();
    server.restart();
    let seen = Expect::Is(Digest::of(b"one"));
    place.write_if(&at("a.md"), &text("two"), seen, Care::Durable).await.unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("a.md")).unwrap(), "two");
    server.kill();
    let start = Instant::now();
    let gone = place.list(None, Show::All, 10).await.unwrap_err();
    assert!(gone.to_string().contains("does not answer"), "{gone}");
    assert!(start.elapsed() < Duration::from_secs(25));
    server.restart();
    place.rename(&at("a.md"), &at("b.md")).await.unwrap();
    assert_eq!(content(&place, "b.md").await.as_deref(), Some("two"));
    assert!(server.logins() >= 4);
}

#[tokio::test]
async fn writers_on_two_connections_have_one_winner() {
    let (server, _folder, one) = place();
    let two = open(&server, _folder.path());
    for round in 0..10 {
        let (path, texts) = (at(&format!("{round}.md")), [text("one"), text("two")]);
        let (first, second) = tokio::join!(
            one.write_if(&path, &texts[0], Expect::Absent, Care::Durable),
            two.write_if(&path, &texts[1], Expect::Absent, Care::Durable),
        );
        assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
        let winner = if first.is_ok() { "one" } else { "two" };
        assert_eq!(content(&one, path.as_str()).await.as_deref(), Some(winner));
    }
    assert_eq!(one.list(None, Show::All, 100).await.unwrap().leftovers, []);
}

#[tokio::test]
async fn a_lock_has_one_holder_and_is_given_back_at_once() {
    let (server, folder, place) = place();
    let (mine, theirs) = (place.lock(), open(&server, folder.path()).lock());
    let file = folder.path().join(".loci/lock");
    let held = mine.hold().await.unwrap();
    let claim = std::fs::read_to_string(&file).unwrap();
    assert!(claim.contains("owner") && claim.contains("until"), "{claim}");
    assert!(theirs.try_hold().await.unwrap().is_none() && mine.try_hold().await.unwrap().is_none());
    let waiting = tokio::spawn(async move { theirs.hold().await.map(|held| (held, Instant::now())) });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!waiting.is_finished());
    let released = Instant::now();
    drop(held);
    let (held, since) = waiting.await.unwrap().unwrap();
    assert!(since - released < Duration::from_secs(5));
    drop(held);
    assert!(!folder.path().join(".loci").exists(), "the lock leaves something behind");
}

#[tokio::test]
async fn a_lock_of_the_dead_is_taken_over() {
    let (_server, folder, place) = place();
    std::fs::create_dir(folder.path().join(".loci")).unwrap();
    let file = folder.path().join(".loci/lock");
    std::fs::write(&file, r#"{"owner":"x","token":"t","until":"2001-01-01T00:00:00Z"}"#).unwrap();
    let held = place.lock().try_hold().await.unwrap().expect("it ran out long ago");
    assert!(!std::fs::read_to_string(&file).unwrap().contains("2001"));
    // Somebody took it from us: it is theirs now, and stays.
    std::fs::write(&file, r#"{"owner":"y","token":"u","until":"2901-01-01T00:00:00Z"}"#).unwrap();
    drop(held);
    assert!(file.exists());
    assert!(place.lock().try_hold().await.unwrap().is_none());
}

#[tokio::test]
async fn who_lost_the_lock_is_told_before_it_does_harm() {
    let (_server, folder, place) = place();
    let file = folder.path().join(".loci/lock");
    let held = place.lock().hold().await.unwrap();
    held.check().await.unwrap();
    held.release().await;
    assert!(!folder.path().join(".loci").exists(), "it was given back when that returned");
    let held = place.lock().hold().await.unwrap();
    let theirs = r#"{"owner":"y","token":"u","until":"2901-01-01T00:00:00Z"}"#;
    std::fs::write(&file, theirs).unwrap();
    assert!(matches!(held.check().await, Err(Error::Busy)));
    held.release().await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs, "it is theirs, and stays as it is");
    let held = place.lock();
    std::fs::remove_file(&file).unwrap();
    let held = held.hold().await.unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(held.check().await, Err(Error::Busy)), "nobody's is not ours");
}

#[tokio::test]
async fn giving_a_lock_back_lets_others_work_meanwhile() {
    // It is asked first, and once: who blocks the thread is done then.
    let (_server, _folder, place) = place();
    let held = place.lock().hold().await.unwrap();
    tokio::select! {
        biased;
        () = held.release() => panic!("it blocked the thread until it was given back"),
        () = std::future::ready(()) => {}
    }
}

#[tokio::test]
async fn what_a_crash_left_is_seen_and_swept() {
    let (_server, folder, place) = place();
    put(&place, "d/a.md", "x").await;
    std::fs::write(folder.path().join("d/.loci-1.tmp"), "half").unwrap();
    std::fs::create_dir_all(folder.path().join(".loci-2.gone/deep")).unwrap();
    std::fs::write(folder.path().join(".loci-2.gone/deep/b.md"), "x").unwrap();
    let listing = place.list(None, Show::All, 10).await.unwrap();
    assert_eq!(listing.leftovers, [None, Some(at("d"))]);
    assert_eq!(listing.files.len(), 1);
    for left in listing.leftovers {
        place.sweep(left.as_ref()).await.unwrap();
    }
    assert!(!folder.path().join(".loci-2.gone").exists() && !folder.path().join("d/.loci-1.tmp").exists());
    assert_eq!(content(&place, "d/a.md").await.as_deref(), Some("x"));
}

#[tokio::test]
async fn what_is_odd_is_refused_and_modes_are_kept() {
    let (_server, folder, place) = place();
    let pipe = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.md")).status().unwrap();
    assert!(pipe.success());
    assert!(matches!(place.read(&at("pipe.md"), 10).await, Err(Error::Odd)));
    put(&place, "a.md", "one").await;
    let file = folder.path().join("a.md");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
    let seen = Expect::Is(Digest::of(b"one"));
    let meta = place.write_if(&at("a.md"), &text("two"), seen, Care::Durable).await.unwrap();
    assert_eq!((meta.node, meta.bytes), (Node::File, 3));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let listing = place.list(None, Show::Visible, 10).await.unwrap();
    assert_eq!((listing.files.len(), listing.refused), (1, vec!["pipe.md".to_owned()]));
}
