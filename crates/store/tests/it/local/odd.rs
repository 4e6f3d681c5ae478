//! Pipes, sockets and devices: refused at once, never waited for.

use super::{Disk, at, snapshot};
use loci_store::local::Modes;
use loci_store::{Backend, Error};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

#[tokio::test]
async fn pipes_and_sockets_are_refused_without_waiting() {
    let disk = Disk::new(Modes::Private);
    disk.put("a.md", "a").await.unwrap();
    let made = Command::new("mkfifo").arg(disk.root().join("pipe.md")).status().unwrap();
    assert!(made.success());
    let _socket = UnixListener::bind(disk.root().join("socket.md")).unwrap();
    let before = snapshot(disk.dir.path());
    let start = Instant::now();
    for odd in ["pipe.md", "socket.md"] {
        let here = at(odd);
        for (name, outcome) in [
            ("stat", disk.backend.stat(Some(&here)).await.map(drop)),
            ("read", disk.backend.read(&here, 1000).await.map(drop)),
            ("replace", disk.replace(odd, "x", "y").await),
            ("remove", disk.backend.remove(&here).await),
            ("rename", disk.backend.rename(&here, &at("moved.md")).await),
        ] {
            assert!(matches!(outcome, Err(Error::Odd)), "{name} {odd}: {outcome:?}");
        }
        let create = disk.put(odd, "x").await;
        assert!(matches!(create, Err(Error::Odd | Error::Exists)), "create {odd}: {create:?}");
        let below = disk.backend.read(&at(&format!("{odd}/x.md")), 10).await;
        assert!(matches!(below, Ok(None) | Err(Error::Odd)), "below {odd}: {below:?}");
    }
    assert_eq!(disk.names().await, ["a.md"]);
    assert_eq!(disk.refused().await, ["pipe.md", "socket.md"]);
    assert!(start.elapsed() < Duration::from_secs(1), "took {:?}", start.elapsed());
    assert_eq!(snapshot(disk.dir.path()), before);
}

#[tokio::test]
async fn a_folder_with_a_pipe_in_it_can_be_removed() {
    let disk = Disk::new(Modes::Private);
    disk.put("d/a.md", "a").await.unwrap();
    Command::new("mkfifo").arg(disk.root().join("d/pipe")).status().unwrap();
    disk.backend.remove(&at("d")).await.unwrap();
    assert!(!disk.root().join("d").exists());
}
