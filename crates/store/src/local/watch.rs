//! Noticing changes without a walk, by the kernel's own notes (inotify).
//!
//! Folders are opened as the jail opens them and watched by what was opened, so a link in the way is never followed.

use super::jail::Jail;
use crate::backend::Watch;
use loci_domain::path::EntryPath;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::fs::{fstat, fstatfs};
use rustix::io::Errno;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Folders that are watched at most: the kernel keeps about a kilobyte for each.
const MOST: usize = 2_000;

/// File systems that only this kernel writes to: ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, bcachefs.
/// On others, a change that was made elsewhere leaves no note here.
const OWN: [i64; 8] =
    [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010, 0xCA45_1A4E];

pub(super) struct Notes {
    jail: Arc<Jail>,
    queue: OwnedFd,
    seen: Mutex<Seen>,
}

#[derive(Default, PartialEq, Eq)]
struct Seen {
    /// Device and inode of the root itself; `None` = it is not there.
    root: Option<(u64, u64)>,
    /// Folders that are watched, as the kernel numbers them; one that was made anew has a new number.
    folders: HashSet<i32>,
}

impl Notes {
    /// `None` where the kernel has no room for more.
    pub fn new(jail: Arc<Jail>) -> Option<Notes> {
        let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        Some(Notes { jail, queue, seen: Mutex::default() })
    }

    fn root(&self) -> Option<Option<(u64, u64)>> {
        match self.jail.folder(None).ok()? {
            Some(folder) => fstat(&folder).ok().map(|stat| Some((stat.st_dev, stat.st_ino))),
            None => Some(None),
        }
    }

    fn add(&self, path: Option<&EntryPath>) -> Option<i32> {
        let folder = self.jail.folder(path).ok()??;
        if !OWN.contains(&(fstatfs(&folder).ok()?.f_type as i64)) {
            return None;
        }
        let flags = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::DELETE_SELF
            | WatchFlags::MODIFY
            | WatchFlags::ATTRIB
            | WatchFlags::MOVE
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR;
        inotify::add_watch(&self.queue, format!("/proc/self/fd/{}", folder.as_raw_fd()), flags).ok()
    }

    fn all(&self, folders: &[EntryPath]) -> Option<Seen> {
        let root = self.root()?;
        if root.is_none() || folders.len() > MOST {
            return root.is_none().then(Seen::default);
        }
        let all = std::iter::once(None).chain(folders.iter().map(Some));
        Some(Seen { root, folders: all.map(|folder| self.add(folder)).collect::<Option<_>>()? })
    }
}

impl Watch for Notes {
    fn over(&self, folders: &[EntryPath]) -> bool {
        let now = self.all(folders);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = now.as_ref().is_some_and(|now| now.root == seen.root && now.folders.is_subset(&seen.folders));
        *seen = now.unwrap_or_default();
        before
    }

    fn quiet(&self) -> bool {
        let (mut quiet, mut notes) = (true, [0; 4096]);
        loop {
            match rustix::io::read(&self.queue, &mut notes) {
                Ok(1..) => quiet = false,
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => break,
                Ok(0) | Err(_) => return false,
            }
        }
        // A folder above the root leaves no note when it is moved away and another one takes its place.
        quiet && self.root().is_some_and(|root| root == self.seen.lock().unwrap_or_else(PoisonError::into_inner).root)
    }
}
