use super::*;

fn bwrap() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|program| program.is_file())
}

/// `None` where the machine has no sandbox: then nothing runs, and that is tested elsewhere.
async fn sandbox(limits: Limits) -> Option<Sandbox> {
    let sandbox = Sandbox::new(bwrap(), limits);
    sandbox.works().await.then_some(sandbox)
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(20), output: 1000, processes: 64 }
}

#[tokio::test]
async fn a_command_sees_its_folder_and_nothing_else() {
    let Some(sandbox) = sandbox(limits()).await else { return };
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("beside"), "secret").unwrap();
    let folder = home.path().join("files");
    let command = format!(
        "echo made > a; cat {}/beside; ls {}; env | grep -c LOCI; exit 7",
        home.path().display(),
        home.path().display()
    );
    let ran = sandbox.run(&folder, &command).await.unwrap();
    assert_eq!(ran.end, End::Exit(7), "{ran:?}");
    assert!(!ran.output.contains("secret"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(folder.join("a")).unwrap(), "made\n");
}

#[tokio::test]
async fn limits_end_a_command_with_all_that_it_started() {
    let Some(sandbox) = sandbox(Limits { time: Duration::from_secs(2), output: 1000, processes: 16 }).await else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let ran = sandbox.run(folder.path(), "(sleep 600 &); sleep 600").await.unwrap();
    assert_eq!(ran.end, End::Time);
    let ran = sandbox.run(folder.path(), "yes | head -c 100000").await.unwrap();
    assert_eq!((ran.output.len(), ran.cut, ran.end), (1000, 99_000, End::Exit(0)));
    let ran = sandbox.run(folder.path(), "for i in $(seq 40); do sleep 600 & done; wait").await.unwrap();
    assert_eq!(ran.end, End::Processes);
}

/// However fast it forks: where this machine has groups, there are never more processes than allowed.
#[tokio::test]
async fn a_group_holds_what_counting_would_miss() {
    let Some(sandbox) = sandbox(Limits { processes: 12, ..limits() }).await else { return };
    let held = Group::new(5).is_some();
    let folder = tempfile::tempdir().unwrap();
    let command = "for i in $(seq 60); do (echo x >> started; sleep 0.2) & done 2>/dev/null; wait; echo over";
    let ran = sandbox.run(folder.path(), command).await.unwrap();
    assert_eq!(ran.end, End::Processes, "{ran:?}");
    let started = std::fs::read_to_string(folder.path().join("started")).unwrap_or_default().lines().count();
    assert!(!held || started <= 12, "{started} at once, and a group was there");
    assert!(sandbox.run(folder.path(), "true & wait; echo fine").await.unwrap().output.contains("fine"));
}

#[tokio::test]
async fn without_bubblewrap_nothing_runs() {
    let folder = tempfile::tempdir().unwrap();
    for bwrap in [None, Some(folder.path().join("no-such-program"))] {
        let sandbox = Sandbox::new(bwrap, limits());
        assert!(!sandbox.works().await);
        assert!(sandbox.run(folder.path(), "touch made").await.is_err());
    }
    assert!(!folder.path().join("made").exists());
}
