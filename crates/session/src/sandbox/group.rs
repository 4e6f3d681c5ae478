//! A control group that holds the processes of one command, where this process may make one: it cannot be outrun, as
//! counting can.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Joins a group and becomes the command; one that cannot join is counted all the same.
pub const JOIN: &str = "{ echo $$ > \"$0\"; } 2>/dev/null; exec \"$@\"";
/// Every group's name starts so, then comes the process that made it.
const NAME: &str = "loci-sandbox-";
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A group with a limit of its own; gone with this value.
#[derive(Debug)]
pub struct Group(PathBuf);

impl Group {
    /// A group of at most so many processes below this process's own group, or beside it; `None` where none can be made.
    pub fn new(most: usize) -> Option<Group> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        homes(&groups, &mounts).iter().find_map(|home| Group::below(home, most))
    }

    fn below(home: &Path, most: usize) -> Option<Group> {
        sweep(home);
        let folder = home.join(format!("{NAME}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&folder).ok()?;
        let group = Group(folder);
        // Without the controller there is no such file, and in a folder that is no group it must not be made.
        let limit = group.0.join("pids.max");
        (limit.exists() && fs::write(limit, most.to_string()).is_ok()).then_some(group)
    }

    /// The file that a process joins by.
    pub fn door(&self) -> PathBuf {
        self.0.join("cgroup.procs")
    }

    /// Whether there is a process in it, and so the limit holds.
    pub fn is_joined(&self) -> bool {
        fs::read_to_string(self.door()).is_ok_and(|ids| !ids.trim().is_empty())
    }

    /// Whether a process was refused because there were too many.
    pub fn refused(&self) -> bool {
        let events = fs::read_to_string(self.0.join("pids.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix("max ").is_some_and(|times| times.trim() != "0"))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let folder = std::mem::take(&mut self.0);
        if fs::remove_dir(&folder).is_err() {
            // The kernel takes a moment to bury the last process.
            std::thread::spawn(move || {
                (0..100).any(|_| {
                    std::thread::sleep(Duration::from_millis(20));
                    fs::remove_dir(&folder).is_ok()
                })
            });
        }
    }
}

/// Folders in which a group may be made: those of the groups that this process is in, and the one above for a
/// hierarchy that allows no processes beside groups.
fn homes(groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mut homes = Vec::new();
    for group in groups.lines() {
        let mut parts = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(own)) = (parts.next(), parts.next()) else { continue };
        let unified = controllers.is_empty();
        if !unified && !controllers.split(',').any(|controller| controller == "pids") {
            continue;
        }
        let fits = |mount: &Mount<'_>| match unified {
            true => mount.kind == "cgroup2",
            false => mount.kind == "cgroup" && mount.options.split(',').any(|option| option == "pids"),
        };
        let Some(mount) = mounts.lines().filter_map(Mount::of).find(fits) else { continue };
        let Ok(inside) = Path::new(own).strip_prefix(mount.root) else { continue };
        let home = Path::new(mount.at).join(inside);
        let above = home.parent().filter(|_| unified && inside.file_name().is_some()).map(Path::to_owned);
        homes.push(home);
        homes.extend(above);
    }
    homes
}

/// A line of `mountinfo`.
struct Mount<'a> {
    root: &'a str,
    at: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn of(line: &'a str) -> Option<Mount<'a>> {
        let (place, system) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let mut system = system.split(' ');
        let (root, at, kind) = (place.next()?, place.next()?, system.next()?);
        Some(Mount { root, at, kind, options: system.nth(1)? })
    }
}

/// Removes what processes left behind that are no more.
fn sweep(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next()?.parse::<u32>().ok());
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker.to_string()).exists()) {
            // One with processes in it stays, whoever they are.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
30 29 0:26 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
33 29 0:29 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
38 29 0:34 /docker/abc /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
";

    #[test]
    fn a_group_is_looked_for_where_this_process_is() {
        let old = homes("8:pids:/docker/abc/x\n4:memory:/y\n", MOUNTS);
        assert_eq!(old, [Path::new("/sys/fs/cgroup/pids/x")]);
        let unified = homes("0::/user.slice/session-1.scope\n", MOUNTS);
        let slice = Path::new("/sys/fs/cgroup/unified/user.slice");
        assert_eq!(unified, [slice.join("session-1.scope"), slice.to_owned()]);
        assert_eq!(homes("0::/\n", MOUNTS), [Path::new("/sys/fs/cgroup/unified")]);
        // Another's view of the hierarchy, and no hierarchy at all.
        assert!(homes("8:pids:/elsewhere\n", MOUNTS).is_empty());
        assert!(homes("0::/x\nbroken\n", "").is_empty());
    }

    #[test]
    fn a_folder_that_is_no_group_is_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let dead = folder.path().join(format!("{NAME}4194305-0"));
        fs::create_dir(&dead).unwrap();
        assert!(Group::below(folder.path(), 5).is_none());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
