//! What a command sees, as arguments of bubblewrap.

use std::ffi::OsString;
use std::path::Path;

/// Where the workspace is inside.
pub const INSIDE: &str = "/workspace";
/// Bytes of the private `/tmp`.
const TMP: &str = "268435456";

/// Namespaces of its own for everything, programs read-only, and one folder that is really there.
pub fn of(folder: &Path) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    let mut add = |words: &[&str]| args.extend(words.iter().map(OsString::from));
    add(&["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"]);
    add(&["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", INSIDE]);
    add(&["--setenv", "LANG", "C.UTF-8", "--ro-bind", "/usr", "/usr"]);
    for name in ["bin", "sbin", "lib", "lib32", "lib64"] {
        let outside = format!("/{name}");
        match std::fs::read_link(&outside) {
            Ok(target) => add(&["--symlink", &target.to_string_lossy(), &outside]),
            Err(_) => add(&["--ro-bind-try", &outside, &outside]),
        }
    }
    for shared in ["/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"] {
        add(&["--ro-bind-try", shared, shared]);
    }
    // Who is root outside may set the kernel's own values in here, whatever rights it gave up.
    add(&[
        "--proc",
        "/proc",
        "--ro-bind-try",
        "/proc/sys",
        "/proc/sys",
        "--dev",
        "/dev",
        "--size",
        TMP,
        "--tmpfs",
        "/tmp",
    ]);
    args.extend(["--bind".into(), folder.into(), INSIDE.into()]);
    // Loci's own documents of the workspace are read here, and changed by its own doors.
    let memory = folder.join("memory");
    if memory.is_dir() && !memory.is_symlink() {
        args.extend(["--ro-bind".into(), memory.into(), format!("{INSIDE}/memory").into()]);
    }
    args.extend(["--chdir", INSIDE, "--"].map(OsString::from));
    args
}

/// The command by bash; what it makes is private, as everything in the home.
pub fn shell(command: &str) -> Vec<OsString> {
    let words = ["bash", "-c", "umask 077; exec bash -c \"$1\"", "bash", command];
    words.map(OsString::from).into()
}
