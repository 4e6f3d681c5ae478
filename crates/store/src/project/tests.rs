use super::*;
use std::fs;

fn tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("main/.git/worktrees/wt")).unwrap();
    fs::create_dir_all(dir.path().join("main/sub/dir")).unwrap();
    fs::create_dir_all(dir.path().join("wt")).unwrap();
    fs::write(dir.path().join("main/.git/worktrees/wt/commondir"), "../..\n").unwrap();
    let link = format!("gitdir: {}\n", dir.path().join("main/.git/worktrees/wt").display());
    fs::write(dir.path().join("wt/.git"), link).unwrap();
    dir
}

fn identity(directory: &Path) -> String {
    Checkout::find(directory).unwrap().project(None, Width::GitRoot).unwrap().identity
}

#[test]
fn worktrees_and_subfolders_are_one_project() {
    let dir = tree();
    let main = identity(&dir.path().join("main"));
    assert_eq!(main, dir.path().join("main").canonicalize().unwrap().display().to_string());
    assert_eq!(identity(&dir.path().join("main/sub/dir")), main);
    assert_eq!(identity(&dir.path().join("wt")), main);
    let exact = Checkout::find(&dir.path().join("main/sub")).unwrap().project(None, Width::Workspace).unwrap();
    assert!(exact.identity.ends_with("main/sub"));
}

#[test]
fn a_directory_without_git_is_its_own_project() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(identity(dir.path()), dir.path().canonicalize().unwrap().display().to_string());
}

#[test]
fn shared_memory_must_be_a_real_folder() {
    let dir = tree();
    let top = dir.path().join("main");
    let project = || Checkout::find(&top).unwrap().project(None, Width::GitRoot);
    assert_eq!(project().unwrap().shared, None);
    fs::create_dir_all(top.join(".loci/memory")).unwrap();
    assert_eq!(project().unwrap().shared, Some(top.canonicalize().unwrap()));
    fs::remove_dir(top.join(".loci/memory")).unwrap();
    std::os::unix::fs::symlink("/tmp", top.join(".loci/memory")).unwrap();
    assert!(project().unwrap_err().contains("symbolic link"));
}

#[test]
fn the_nearest_config_up_to_the_top_counts() {
    let dir = tree();
    let top = dir.path().join("main");
    fs::create_dir_all(top.join(".loci")).unwrap();
    fs::write(top.join(".loci/config.toml"), "").unwrap();
    let found = Checkout::find(&top.join("sub/dir")).unwrap().config_file().unwrap();
    assert_eq!(found, top.canonicalize().unwrap().join(".loci/config.toml"));
    fs::create_dir_all(dir.path().join("main/sub/.loci")).unwrap();
    std::os::unix::fs::symlink(top.join(".loci/config.toml"), dir.path().join("main/sub/.loci/config.toml")).unwrap();
    assert_eq!(
        Checkout::find(&top.join("sub/dir")).unwrap().config_file().unwrap(),
        found,
        "a linked file does not count"
    );
}
