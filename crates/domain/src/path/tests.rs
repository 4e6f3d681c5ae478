use super::*;
use proptest::prelude::*;

fn scoped(given: &str) -> Result<Spot, BadPath> {
    Virtual::parse(given, Layout::Scoped).map(|path| path.spot)
}

fn refused(given: &str) -> String {
    Virtual::parse(given, Layout::Bare).unwrap_err().to_string()
}

#[test]
fn names_scopes_and_files() {
    let file = EntryPath::parse("a/b.md").unwrap();
    assert_eq!(scoped("/memories").unwrap(), Spot::Top);
    assert_eq!(scoped("/memories/").unwrap(), Spot::Top);
    assert_eq!(scoped("/memories/global").unwrap(), Spot::Root(Some(Scope::Global)));
    assert_eq!(scoped("/memories/project/a/b.md").unwrap(), Spot::Inside(Some(Scope::Project), file.clone()));
    assert_eq!(Virtual::parse("/memories/a/b.md", Layout::Bare).unwrap().spot, Spot::Inside(None, file));
    assert!(Virtual::parse("/memories/global/d/", Layout::Scoped).unwrap().folder);
}

#[test]
fn the_published_words() {
    assert_eq!(refused("/etc/passwd"), "Path must start with /memories, got: /etc/passwd");
    assert_eq!(refused("/memoriesfoo"), "Path must start with /memories, got: /memoriesfoo");
    assert_eq!(refused("/memories/../x"), "Path /memories/../x would escape /memories directory");
    assert_eq!(refused("/memories/a..b"), "Path /memories/a..b would escape /memories directory");
    assert_eq!(refused("/memories/a//b"), "Invalid path /memories/a//b: a segment is empty");
    assert!(scoped("/memories/team/x.md").unwrap_err().to_string().contains("no scope"));
    assert!(scoped("/memories/global/.x.md").unwrap_err().to_string().contains("starts with a dot"));
}

#[test]
fn a_name_that_no_disk_takes_is_refused_wherever_files_lie() {
    for (bytes, good) in [(255, true), (256, false)] {
        for path in
            ["n".repeat(bytes), format!("a/{}/b.md", "n".repeat(bytes)), format!("a/{}é", "n".repeat(bytes - 2))]
        {
            assert_eq!(Virtual::parse(&format!("/memories/{path}"), Layout::Bare).is_ok(), good, "{path}");
        }
    }
}

#[test]
fn every_spelling_of_a_root_is_known() {
    for given in ["/memories", "/memories/", "/memories//", "/memories/.", "/memories/x/..", "/memories/../memories"] {
        assert_eq!(Virtual::root_spelled(given, Layout::Bare).as_deref(), Some("/memories"), "{given}");
    }
    let scoped = |given| Virtual::root_spelled(given, Layout::Scoped);
    assert_eq!(scoped("/memories/global/.").as_deref(), Some("/memories/global"));
    assert_eq!(scoped("/memories/global/x").as_deref(), None);
    assert_eq!(scoped("memories").as_deref(), None);
}

#[test]
fn order_is_by_bytes_of_the_whole_path() {
    let mut paths = ["a0.md", "a/b.md", "a.md"].map(|path| EntryPath::parse(path).unwrap());
    paths.sort();
    assert_eq!(paths.map(|path| path.to_string()), ["a.md", "a/b.md", "a0.md"]);
}

#[test]
fn folders_hold_only_what_is_below_them() {
    let path = |text| EntryPath::parse(text).unwrap();
    assert!(path("a/b").is_within(&path("a")) && path("a").is_within(&path("a")));
    assert!(!path("ab").is_within(&path("a")));
    assert_eq!(path("a/b").moved(&path("a"), &path("c/d")), Some(path("c/d/b")));
    assert_eq!(path("ab").moved(&path("a"), &path("c")), None);
}

proptest! {
    /// Whatever is accepted stays below its root when it is joined to it.
    #[test]
    fn path_cannot_escape(tail in "[a-z./~%\\\\\\u{200b}\\u{202e}é<0-9]{0,24}") {
        if let Ok(Virtual { spot: Spot::Inside(_, inner), .. }) = Virtual::parse(&format!("/memories/{tail}"), Layout::Bare) {
            prop_assert!(inner.segments().all(|s| !s.is_empty() && s != "." && !s.contains("..")));
            prop_assert!(!inner.as_str().starts_with('/') && !inner.as_str().contains(['\\', '\0', '~']));
        }
    }

    /// The short way says yes only where the long way does.
    #[test]
    fn ordinary_paths_are_good_by_every_rule(path in "[a-z ._/%~-]{0,12}") {
        if is_ordinary(&path) {
            prop_assert!(!path.contains(".."));
            prop_assert!(path.split('/').all(|segment| check_segment(segment).is_ok()), "{path}");
        }
    }

    #[test]
    fn parsing_never_panics(any in "\\PC{0,64}") {
        let _ = Virtual::parse(&any, Layout::Scoped);
        let _ = Virtual::root_spelled(&any, Layout::Scoped);
        let _ = EntryPath::parse(&any);
    }
}
