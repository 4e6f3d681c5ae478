//! Whatever the umask, a home is its person's own.

use crate::support::{G, home, home_script};
use loci_testkit::home::{create, walk};
use std::os::unix::fs::PermissionsExt;

#[test]
fn everything_in_a_home_is_private_whatever_the_umask() {
    for umask in ["000", "022", "077", "777"] {
        let home = home();
        let editor = home_script(&home, "editor.sh", "echo more >> \"$1\"; exit 1");
        let calls = [
            create(&format!("{G}d/e/a.md"), "a"),
            create("/memories/project/p.md", "p"),
            create("/memories/workspace/w.md", "w"),
        ];
        let script = format!(
            "umask {umask}; printf '%s\\n' '{}' '{}' '{}' | \"$0\" tool --workspace w1 && \"$0\" config recall.limit 7 && \"$0\" pin global/d/e/a.md && \"$0\" list && \"$0\" workspace add w2; EDITOR={} \"$0\" edit global/d/e/a.md; \"$0\" mv global/d global/f",
            calls[0],
            calls[1],
            calls[2],
            editor.display()
        );
        let mut shell = home.program("sh");
        let done = shell.args(["-c", &script]).arg(home.binary()).output().unwrap();
        assert!(done.status.success(), "umask {umask}: {}", String::from_utf8_lossy(&done.stderr));
        let mut wrong = Vec::new();
        let mut seen = 0;
        let mut check = |path: &std::path::Path, is_dir: bool| {
            let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o7777;
            let private = if is_dir { 0o700 } else { 0o600 };
            seen += 1;
            if mode != private {
                wrong.push(format!("{} {mode:o}", path.strip_prefix(home.dir()).unwrap().display()));
            }
        };
        check(home.home(), true);
        walk(home.home(), &mut |path, kind| check(path, kind.is_dir()));
        assert_eq!(wrong, Vec::<String>::new(), "umask {umask}");
        assert!(seen > 15, "{seen} nodes");
    }
}

#[test]
fn a_journal_open_in_another_process_is_private_too() {
    let home = home();
    let mut shell = home.program("sh");
    shell.args(["-c", "umask 0; exec \"$0\" tool"]).arg(home.binary());
    let mut tool = loci_testkit::home::Tool::start(shell);
    tool.call(&create(&format!("{G}a.md"), "a")).unwrap();
    let mut wrong = Vec::new();
    walk(home.home(), &mut |path, _| {
        let mode = std::fs::metadata(path).unwrap().permissions().mode() & 0o077;
        if mode != 0 {
            wrong.push(path.to_owned());
        }
    });
    assert!(home.home().join("loci.db-wal").exists(), "the log of the ledger is there to be looked at");
    assert_eq!(wrong, Vec::<std::path::PathBuf>::new());
}
