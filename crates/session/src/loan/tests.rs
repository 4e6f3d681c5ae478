use super::*;
use loci_store::ram::Ram;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use tempfile::TempDir;

/// A workspace elsewhere, and the home that commands run in.
struct Far {
    ram: Ram,
    home: TempDir,
}

impl Far {
    async fn new(files: &[(&str, &str)]) -> Far {
        let far = Far { ram: Ram::default(), home: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            far.put(path, text).await;
        }
        far
    }

    fn files(&self) -> Files {
        Files { backend: Arc::new(self.ram.clone()), lock: Arc::new(self.ram.clone()), folder: None, largest: 1 << 20 }
    }

    async fn put(&self, path: &str, text: &str) {
        let bytes = Clean::kept(text.as_bytes().to_vec());
        self.ram.write_if(&at(path), &bytes, Expect::Anything, Care::Durable).await.unwrap();
    }

    async fn lent(&self) -> (Loan, PathBuf) {
        let loan = Loan::take(&self.files(), self.home.path()).await.unwrap();
        let folder = loan.folder();
        (loan, folder)
    }

    /// All files and what they say.
    async fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        for (path, _) in self.ram.list(None, Show::All, 10_000).await.unwrap().files {
            let blob = self.ram.read(&path, BYTES).await.unwrap().unwrap();
            tree.insert(path.to_string(), String::from_utf8_lossy(&blob.bytes).into_owned());
        }
        tree
    }

    /// Nothing of a loan is left in the home.
    fn is_clear(&self) -> bool {
        std::fs::read_dir(self.home.path().join("loans")).is_ok_and(|left| left.count() == 0)
    }
}

fn at(path: &str) -> EntryPath {
    EntryPath::parse(path).unwrap()
}

fn tree(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[tokio::test]
async fn what_was_made_changed_and_removed_is_so_in_the_workspace() {
    let far = Far::new(&[("a.md", "alpha"), ("b/c.md", "gamma"), ("b/d.md", "delta"), (".git/head", "main")]).await;
    let (loan, folder) = far.lent().await;
    assert_eq!(std::fs::read_to_string(folder.join("b/c.md")).unwrap(), "gamma");
    std::fs::remove_file(folder.join("a.md")).unwrap();
    std::fs::write(folder.join("b/c.md"), "changed").unwrap();
    std::fs::create_dir_all(folder.join("new/empty")).unwrap();
    std::fs::write(folder.join("new/made.bin"), "bytes").unwrap();
    std::fs::write(folder.join(".git/head"), "other").unwrap();
    assert_eq!(loan.give_back(&far.files()).await.unwrap(), Returned::default());
    let want = tree(&[("b/c.md", "changed"), ("b/d.md", "delta"), ("new/made.bin", "bytes"), (".git/head", "other")]);
    assert_eq!(far.tree().await, want);
    assert!(far.is_clear());
}

#[tokio::test]
async fn what_nobody_touched_is_not_written() {
    let far = Far::new(&[("a.md", "alpha")]).await;
    let before = far.ram.stat(Some(&at("a.md"))).await.unwrap();
    let (loan, _) = far.lent().await;
    // Not even the lock is asked for.
    let _held = loci_store::Lock::hold(&far.ram).await.unwrap();
    loan.give_back(&far.files()).await.unwrap();
    assert_eq!(far.ram.stat(Some(&at("a.md"))).await.unwrap(), before);
}

#[tokio::test]
async fn a_change_of_somebody_else_is_a_conflict_and_stays() {
    let far =
        Far::new(&[("both.md", "1"), ("theirs.md", "1"), ("gone.md", "1"), ("kept.md", "1"), ("mine.md", "1")]).await;
    let (loan, folder) = far.lent().await;
    for (path, text) in [("both.md", "mine"), ("made.md", "mine"), ("mine.md", "mine"), ("gone.md", "mine")] {
        std::fs::write(folder.join(path), text).unwrap();
    }
    std::fs::remove_file(folder.join("kept.md")).unwrap();
    for (path, text) in [("both.md", "theirs"), ("made.md", "theirs"), ("theirs.md", "theirs"), ("kept.md", "theirs")] {
        far.put(path, text).await;
    }
    far.ram.remove(&at("gone.md")).await.unwrap();
    let returned = loan.give_back(&far.files()).await.unwrap();
    let conflicts: Vec<&str> = returned.conflicts.iter().map(EntryPath::as_str).collect();
    assert_eq!(conflicts, ["both.md", "gone.md", "made.md", "kept.md"]);
    let theirs = [("both.md", "theirs"), ("kept.md", "theirs"), ("made.md", "theirs"), ("theirs.md", "theirs")];
    assert_eq!(far.tree().await, tree(&[&theirs[..], &[("mine.md", "mine")]].concat()));
}

#[tokio::test]
async fn what_both_removed_is_no_conflict() {
    let far = Far::new(&[("a.md", "1")]).await;
    let (loan, folder) = far.lent().await;
    std::fs::remove_file(folder.join("a.md")).unwrap();
    far.ram.remove(&at("a.md")).await.unwrap();
    assert_eq!(loan.give_back(&far.files()).await.unwrap(), Returned::default());
}

#[tokio::test]
async fn a_folder_takes_the_place_of_a_file_and_back() {
    let far = Far::new(&[("a", "file"), ("d/x", "inside")]).await;
    let (loan, folder) = far.lent().await;
    std::fs::remove_file(folder.join("a")).unwrap();
    std::fs::create_dir(folder.join("a")).unwrap();
    std::fs::write(folder.join("a/b"), "now inside").unwrap();
    std::fs::remove_dir_all(folder.join("d")).unwrap();
    std::fs::write(folder.join("d"), "now file").unwrap();
    assert_eq!(loan.give_back(&far.files()).await.unwrap(), Returned::default());
    assert_eq!(far.tree().await, tree(&[("a/b", "now inside"), ("d", "now file")]));
}

#[tokio::test]
async fn links_odd_names_and_memory_are_told_and_not_kept() {
    let far = Far::new(&[("a.md", "1"), ("d/x.md", "1"), ("memory/tea.md", "oolong"), ("memory/old.md", "1")]).await;
    let (loan, folder) = far.lent().await;
    std::fs::write(folder.join("memory/tea.md"), "changed").unwrap();
    std::fs::write(folder.join("memory/new.md"), "new").unwrap();
    std::fs::remove_file(folder.join("memory/old.md")).unwrap();
    std::fs::remove_file(folder.join("a.md")).unwrap();
    symlink("/etc/passwd", folder.join("a.md")).unwrap();
    std::fs::remove_dir_all(folder.join("d")).unwrap();
    symlink("/etc", folder.join("d")).unwrap();
    std::fs::write(folder.join("bad\\name"), "x").unwrap();
    let before = far.tree().await;
    let mut refused = loan.give_back(&far.files()).await.unwrap().refused;
    refused.sort();
    refused.dedup();
    assert_eq!(refused, ["a.md", "bad\\name", "d", "d/x.md", "memory/new.md"]);
    assert_eq!(far.tree().await, before);
    assert!(far.is_clear());
}

#[tokio::test]
async fn a_workspace_that_is_too_large_is_not_lent() {
    let far = Far::new(&[]).await;
    for number in 0..=FILES {
        far.put(&format!("{number}.md"), "").await;
    }
    let refused = Loan::take(&far.files(), far.home.path()).await.map(drop).unwrap_err();
    assert!(refused.to_string().contains("4000 files"), "{refused}");
    far.ram.remove(&at("0.md")).await.unwrap();
    let (loan, folder) = far.lent().await;
    let before = far.tree().await;
    std::fs::remove_file(folder.join("1.md")).unwrap();
    for more in ["x.md", "y.md"] {
        std::fs::write(folder.join(more), "").unwrap();
    }
    let refused = loan.give_back(&far.files()).await.unwrap_err();
    assert!(refused.to_string().contains("nothing was kept"), "{refused}");
    assert_eq!(far.tree().await, before);
    assert!(far.is_clear());
    let large = Far::new(&[]).await;
    large.put("large.bin", &"x".repeat(BYTES as usize + 1)).await;
    let refused = Loan::take(&large.files(), large.home.path()).await.map(drop).unwrap_err();
    assert!(refused.to_string().contains("128 MiB"), "{refused}");
}

#[tokio::test]
async fn a_loan_that_is_dropped_leaves_nothing_and_changes_nothing() {
    let far = Far::new(&[("a.md", "1")]).await;
    let (loan, folder) = far.lent().await;
    std::fs::write(folder.join("a.md"), "changed").unwrap();
    drop(loan);
    assert_eq!(far.tree().await, tree(&[("a.md", "1")]));
    assert!(far.is_clear());
}
