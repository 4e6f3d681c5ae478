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

/// A working tree whose `.git` is a file that names this git dir.
fn pointing(tree: &Path, git_dir: &Path) {
    fs::create_dir_all(tree).unwrap();
    fs::write(tree.join(".git"), format!("gitdir: {}\n", git_dir.display())).unwrap();
}

#[test]
fn worktrees_of_a_submodule_and_of_a_git_dir_apart_are_one_project_with_their_main_tree() {
    let dir = tempfile::tempdir().unwrap();
    for git_dir in ["outer/.git/modules/sub", "apart/store.git"].map(|path| dir.path().join(path)) {
        fs::create_dir_all(git_dir.join("worktrees/wt")).unwrap();
        fs::write(git_dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::write(git_dir.join("worktrees/wt/commondir"), "../..\n").unwrap();
        let (main, tree) = (git_dir.with_extension("main"), git_dir.with_extension("tree"));
        pointing(&main, &git_dir);
        pointing(&tree, &git_dir.join("worktrees/wt"));
        assert_eq!(identity(&main), git_dir.canonicalize().unwrap().display().to_string());
        assert_eq!(identity(&tree), identity(&main));
    }
}

#[test]
fn a_file_that_points_at_the_git_dir_of_another_tree_makes_no_common_project() {
    let dir = tree();
    let thief = dir.path().join("thief");
    for named in ["main/.git", "main/sub", "nowhere"] {
        fs::write(dir.path().join("main/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        pointing(&thief, &dir.path().join(named));
        assert_eq!(identity(&thief), thief.canonicalize().unwrap().display().to_string(), "{named}");
    }
}
