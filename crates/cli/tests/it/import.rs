//! Memory comes in from other tools and goes out again, whole, once, and never by a back door.

use crate::support::{G, assert_healthy, home};
use loci_testkit::home::{Home, documents, write};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const KEY: &str = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

fn notes(home: &Home) -> PathBuf {
    let notes = home.dir().join("notes");
    write(&notes.join("tea.md"), "# Tea\n\nGreen, no sugar.\n");
    write(
        &notes.join("work/deploy.md"),
        "---\nname: Deploys\ndescription: When\ntype: project\n---\nNever on Friday.\n",
    );
    notes
}

fn import(home: &Home, source: &Path, flags: &[&str]) -> Value {
    home.json(&[&["import", source.to_str().unwrap()], flags].concat())
}

fn counts(done: &Value) -> (u64, u64, u64, usize) {
    let count = |key: &str| done[key].as_u64().unwrap();
    (count("created"), count("updated"), count("unchanged"), done["refused"].as_array().unwrap().len())
}

#[test]
fn an_import_is_repeatable_untrusted_and_one_undo() {
    let home = home();
    let notes = notes(&home);
    assert_eq!(counts(&import(&home, &notes, &["--dry-run"])), (2, 0, 0, 0));
    assert!(documents(&home.global()).is_empty());
    assert_eq!(counts(&import(&home, &notes, &[])), (2, 0, 0, 0));
    assert_eq!(counts(&import(&home, &notes, &[])), (0, 0, 2, 0));
    let row = home.row(&format!("{G}work/deploy.md"));
    assert_eq!(
        (&row["trust"], &row["origin"], &row["name"]),
        (&json!("untrusted"), &json!("import"), &json!("Deploys"))
    );
    home.ok(&["trust", "--all"]);
    write(&notes.join("tea.md"), "# Tea\n\nBlack, with milk.\n");
    assert_eq!(counts(&import(&home, &notes, &[])), (0, 1, 1, 0));
    assert_eq!(home.row(&format!("{G}tea.md"))["trust"], "untrusted", "what is new is not accepted yet");
    assert_eq!(home.row(&format!("{G}work/deploy.md"))["trust"], "trusted");
    home.ok(&["undo"]);
    home.ok(&["undo"]);
    assert!(documents(&home.global()).is_empty());
    assert_eq!(counts(&import(&home, &notes, &[])), (2, 0, 0, 0));
    assert_healthy(&home);
}

#[test]
fn nobodys_own_words_are_overwritten() {
    let home = home();
    let notes = notes(&home);
    home.create(&format!("{G}tea.md"), "mine\n");
    let done = import(&home, &notes, &[]);
    assert_eq!(counts(&done), (1, 0, 0, 1));
    assert!(done["refused"][0]["reason"].as_str().unwrap().contains("not from an import"), "{done}");
    home.edit("memory/work/deploy.md", "changed by hand\n");
    write(&notes.join("work/deploy.md"), "changed there too\n");
    let ran = home.run(&["import", notes.to_str().unwrap(), "--json"]);
    assert_eq!(ran.exit, Some(5), "nothing came in");
    assert_eq!(counts(&serde_json::from_str(&ran.stdout).unwrap()), (0, 0, 0, 2));
    assert_eq!(documents(&home.global())["work/deploy.md"], "changed by hand\n");
}

#[test]
fn secrets_and_links_stay_outside() {
    let home = home();
    let notes = notes(&home);
    write(&notes.join("key.md"), &format!("The key is {KEY} for CI.\n"));
    write(&notes.join(format!("{KEY}.md")), "x\n");
    symlink("/etc/passwd", notes.join("link.md")).unwrap();
    symlink("/etc", notes.join("etc")).unwrap();
    fs::write(notes.join("binary.md"), b"a\0b").unwrap();
    write(&notes.join("big.md"), &"a".repeat(200_000));
    let done = import(&home, &notes, &[]);
    assert_eq!(counts(&done), (3, 0, 0, 4), "{done}");
    assert!(!done.to_string().contains(KEY));
    assert_eq!(crate::support::holding(home.home(), KEY), Vec::<String>::new());
    let before = home.ok(&["show", "global/key.md"]);
    assert!(before.contains("REDACTED"));
    let plain = home.dir().join("plain");
    write(&plain.join("key.md"), &format!("The key is {KEY} for CI.\n"));
    import(&home, &plain, &["--allow-secret", "--scope", "project"]);
    assert!(home.ok(&["show", "project/key.md"]).contains(KEY));
}

#[test]
fn an_export_comes_in_again_as_it_was() {
    let home = home();
    home.create(&format!("{G}user/tea.md"), "---\r\nname: Tea\r\ntype: user\r\nx: [1]\r\n---\r\nGreen.\r\n");
    home.create("/memories/project/a/b.md", "no header\n");
    let out = home.dir().join("out");
    let export = |target: &Path, flags: &[&str]| home.json(&[&["export", target.to_str().unwrap()], flags].concat());
    assert_eq!(counts(&export(&out, &[])), (2, 0, 0, 0));
    assert_eq!(counts(&export(&out, &[])), (0, 0, 2, 0));
    let (a, b) = (home.dir().join("a.tar.zst"), home.dir().join("b.tar.zst"));
    export(&a, &[]);
    export(&b, &[]);
    assert_eq!(fs::read(&a).unwrap(), fs::read(&b).unwrap(), "equal memory, equal bytes");
    assert_eq!(counts(&export(&a, &[])), (0, 0, 2, 0));
    for source in [&out, &a] {
        let other = crate::support::home();
        let done = import(&other, source, &[]);
        assert_eq!(counts(&done), (2, 0, 0, 0), "{done}");
        assert_eq!(documents(&other.global()), documents(&home.global()));
        assert_eq!(documents(&other.project_memory()), documents(&home.project_memory()));
        assert_eq!(counts(&import(&other, source, &[])), (0, 0, 2, 0));
    }
    let flat = home.dir().join("flat");
    export(&flat, &["--scope", "global"]);
    assert!(flat.join("user/tea.md").is_file());
}

#[test]
fn an_export_leaves_what_is_not_its_own() {
    let home = home();
    home.create(&format!("{G}tea.md"), "one\n");
    let out = home.dir().join("out");
    let target = out.to_str().unwrap();
    write(&out.join("mine.txt"), "mine");
    home.fails(&["export", target], 4);
    home.ok(&["export", target, "--force"]);
    write(&out.join("global/tea.md"), "changed there\n");
    home.did(crate::support::replace(&format!("{G}tea.md"), "one", "two"));
    let ran = home.run(&["export", target, "--json"]);
    assert_eq!(ran.exit, Some(4), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(out.join("global/tea.md")).unwrap(), "changed there\n");
    home.ok(&["export", target, "--force"]);
    assert_eq!(fs::read_to_string(out.join("global/tea.md")).unwrap(), "two\n");
    home.ok(&["rm", "global/tea.md"]);
    assert_eq!(home.json(&["export", target])["removed"], 1);
    assert!(!out.join("global/tea.md").exists() && out.join("mine.txt").exists());
    symlink("/etc", out.join("project")).unwrap();
    home.create("/memories/project/passwd", "x\n");
    assert_eq!(home.run(&["export", target]).exit, Some(4), "no link is followed");
    let file = write(&home.dir().join("mine.tar.zst"), "no archive");
    home.fails(&["export", file.to_str().unwrap()], 4);
}

fn archive(file: &Path, fill: impl FnOnce(&mut tar::Builder<zstd::stream::write::Encoder<'_, fs::File>>)) {
    let mut tar = tar::Builder::new(zstd::stream::write::Encoder::new(fs::File::create(file).unwrap(), 1).unwrap());
    fill(&mut tar);
    tar.into_inner().unwrap().finish().unwrap();
}

/// An entry whose name the library would refuse to write.
fn raw(kind: tar::EntryType, name: &str, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

#[test]
fn a_hostile_archive_gets_nowhere() {
    let home = home();
    let file = home.dir().join("evil.tar.zst");
    archive(&file, |tar| {
        use tar::EntryType;
        for name in ["../evil.md", "/abs.md", "a/../../up.md", "ok.md", "ok.md"] {
            tar.append(&raw(EntryType::Regular, name, 2), &b"x\n"[..]).unwrap();
        }
        for (kind, name) in [(EntryType::Symlink, "l.md"), (EntryType::Link, "h.md"), (EntryType::Char, "d.md")] {
            let mut header = raw(kind, name, 0);
            header.set_link_name("/etc/passwd").unwrap();
            header.set_cksum();
            tar.append(&header, &b""[..]).unwrap();
        }
    });
    let done = import(&home, &file, &[]);
    assert_eq!(counts(&done), (1, 0, 0, 7), "{done}");
    assert_eq!(documents(&home.global()).keys().collect::<Vec<_>>(), ["ok.md"]);
    assert!(!home.dir().join("evil.md").exists() && !home.home().join("evil.md").exists());
}

#[test]
fn a_bomb_is_refused_while_it_is_read() {
    let home = home();
    let file = home.dir().join("bomb.tar.zst");
    let mut inner = Vec::new();
    inner.extend(raw(tar::EntryType::Regular, "bomb.md", 8 << 30).as_bytes());
    let mut packed = zstd::stream::write::Encoder::new(fs::File::create(&file).unwrap(), 1).unwrap();
    packed.write_all(&inner).unwrap();
    let zeros = vec![0; 1 << 20];
    for _ in 0..300 {
        packed.write_all(&zeros).unwrap();
    }
    packed.finish().unwrap();
    let failure = home.fails(&["import", file.to_str().unwrap()], 5);
    assert_eq!(failure["code"], "source_too_large");
    let cut = home.dir().join("cut.tar.zst");
    let whole = fs::read(&file).unwrap();
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    home.fails(&["import", cut.to_str().unwrap()], 1);
    fs::write(&cut, &whole[..12]).unwrap();
    home.fails(&["import", cut.to_str().unwrap()], 1);
    assert!(documents(&home.global()).is_empty());
}

#[test]
fn a_source_must_be_there_and_clear() {
    let home = home();
    home.fails(&["import", "/nowhere/at/all"], 3);
    let odd = home.dir().join("odd");
    write(&odd.join("x.png"), "x");
    assert_eq!(home.fails(&["import", odd.to_str().unwrap()], 2)["code"], "unclear_format");
    home.fails(&["import", odd.to_str().unwrap(), "--format", "word"], 2);
    let qwen = write(&home.dir().join("QWEN.md"), "# Rules\nBe brief.\n\n## Qwen Added Memories\n- I live in Ulm\n");
    assert_eq!(counts(&import(&home, &qwen, &[])), (1, 0, 0, 0));
    assert!(home.ok(&["show", "global/qwen/memories.md"]).contains("- I live in Ulm\n"));
}

#[test]
fn one_file_that_is_too_large_is_exported_too() {
    let home = home();
    home.create(&format!("{G}a.md"), "text of a\n");
    let large = "x".repeat(102_401);
    write(&home.global().join("large.md"), &large);
    let target = home.dir().join("out");
    let done = home.json(&["export", target.to_str().unwrap()]);
    assert_eq!((done["created"].as_u64(), done["refused"].as_array().unwrap().len()), (Some(2), 0), "{done}");
    assert_eq!(fs::read_to_string(target.join("global/large.md")).unwrap(), large);
    let shown = home.run(&["show", "global/large.md"]);
    assert!(shown.stderr.contains("/memories/global/large.md") && shown.stderr.contains("Split"), "{}", shown.stderr);
}

#[test]
fn an_archive_of_another_kind_is_named() {
    let home = home();
    home.create(&format!("{G}a.md"), "text of a\n");
    for name in ["x.zip", "x.tar", "x.tar.gz", "x.TGZ"] {
        let target = home.dir().join(name);
        let ran = home.run(&["export", target.to_str().unwrap()]);
        assert_eq!(ran.exit, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(".tar.zst") && !target.exists(), "{}", ran.stderr);
    }
    let plain = write(&home.dir().join("plain"), "x");
    let ran = home.run(&["export", plain.to_str().unwrap()]);
    assert_eq!(ran.exit, Some(4), "{}", ran.stderr);
    assert!(ran.stderr.contains("is a file"), "{}", ran.stderr);
    for name in ["garbage.tar.zst", "y.tar"] {
        let garbage = write(&home.dir().join(name), "no archive");
        let told = home.fails(&["import", garbage.to_str().unwrap()], 1);
        assert_eq!(told["code"], "invalid_archive", "{told}");
        assert!(told["error"].as_str().unwrap().contains(".tar.zst"), "{told}");
    }
    let dotted = home.dir().join("dotted.tar.zst");
    archive(&dotted, |tar| {
        let mut header = raw(tar::EntryType::Regular, "d/./x.md", 2);
        header.set_cksum();
        tar.append(&header, &b"x\n"[..]).unwrap();
    });
    let done = home.run(&["import", dotted.to_str().unwrap(), "--format", "markdown", "--json"]);
    assert!(done.stdout.contains("single dot"), "{}{}", done.stdout, done.stderr);
}
