use super::*;
use serde_json::{Value, json};

fn read(storage: Value) -> Result<Storage, Bad> {
    let config = json!({ "storage": storage });
    Storage::read(&Form::of(&config, "config", &["storage"]).unwrap())
}

fn s3_of(bucket: Option<&str>, prefix: Option<&str>, endpoint: Option<&str>, region: Option<&str>) -> Storage {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Storage::S3 { bucket: owned(bucket), prefix: owned(prefix), endpoint: owned(endpoint), region: owned(region) }
}

#[test]
fn places_are_found() {
    let whole = json!({
        "provider": "s3", "bucket": "notes-1", "prefix": "/a/b/", "endpoint": "http://127.0.0.1:8333", "region": "us-east-1"
    });
    let whole_is = s3_of(Some("notes-1"), Some("a/b"), Some("http://127.0.0.1:8333"), Some("us-east-1"));
    for (body, expected) in [
        (json!({"provider": "local"}), Storage::Local),
        (json!({"provider": "local", "bucket": null}), Storage::Local),
        (whole, whole_is),
        (json!({"provider": "s3"}), s3_of(None, None, None, None)),
        (json!({"provider": "s3", "prefix": ""}), s3_of(None, None, None, None)),
        (json!({"provider": "s3", "bucket": "a.b", "prefix": "Ü 1"}), s3_of(Some("a.b"), Some("Ü 1"), None, None)),
        (
            json!({"provider": "ssh", "url": "ssh://me@host:22/srv/x/"}),
            Storage::Ssh { url: "ssh://me@host:22/srv/x".into() },
        ),
    ] {
        assert_eq!(read(body.clone()), Ok(expected), "{body}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let s3 = |field: &str, value: &str| json!({"provider": "s3", "bucket": "abc", field: value});
    let ssh = |url: &str| json!({"provider": "ssh", "url": url});
    let mut cases = vec![
        (json!({}), "provider"),
        (json!({"provider": "vercel"}), "provider"),
        (json!({"provider": 3}), "provider"),
        (json!({"provider": "local", "bucket": "abc"}), "bucket"),
        (json!({"provider": "local", "url": "ssh://h/a"}), "url"),
        (json!({"provider": "s3", "bucket": "abc", "url": "ssh://h/a"}), "url"),
        (json!({"provider": "s3", "bucket": "abc", "buckett": "abc"}), "buckett"),
        (json!({"provider": "s3", "bucket": 7}), "bucket"),
        (json!({"provider": "s3", "endpoint": "https://host"}), "bucket"),
        (json!({"provider": "s3", "region": "eu"}), "bucket"),
        (json!({"provider": "ssh", "url": "ssh://h/a", "prefix": "a"}), "prefix"),
        (json!({"provider": "ssh"}), "url"),
    ];
    cases.extend(["", "ab", "a b", "-abc", "abc.", "a..b", "a/b", "ä-bucket"].map(|bad| (s3("bucket", bad), "bucket")));
    cases.extend(["..", "a/../b", "a//b", "./a", "a\nb", "a\u{200b}b"].map(|bad| (s3("prefix", bad), "prefix")));
    let endpoints = ["", "host", "ftp://host", "https://", "https://me:secret@host", "https://key@host/x"];
    cases.extend(endpoints.map(|bad| (s3("endpoint", bad), "endpoint")));
    cases.extend(
        ["https://h?X-Amz-Credential=k", "https://h o", "http://h\n"].map(|bad| (s3("endpoint", bad), "endpoint")),
    );
    cases.extend(["", "eu west", "eu/1"].map(|bad| (s3("region", bad), "region")));
    let urls =
        ["", "host:/a", "sftp://h/a", "ssh://h", "ssh:///a", "ssh://h/", "ssh://h/a/../b", "ssh://me:secret@h/a"];
    cases.extend(urls.map(|bad| (ssh(bad), "url")));
    for (body, field) in cases {
        let bad = read(body.clone()).unwrap_err();
        assert_eq!(bad.field, format!("config.storage.{field}"), "{body}");
        assert!(!bad.reason.contains("secret"), "{bad}");
    }
}

#[test]
fn the_same_place_may_be_reached_another_way() {
    let ssh = |url: &str| Storage::Ssh { url: url.to_owned() };
    let here = s3_of(Some("abc"), Some("p"), Some("https://a"), None);
    for (one, other, same) in [
        (Storage::Local, Storage::Local, true),
        (Storage::Local, here.clone(), false),
        (here.clone(), s3_of(Some("abc"), Some("p"), None, Some("eu")), true),
        (here.clone(), s3_of(Some("abc"), None, Some("https://a"), None), false),
        (here, s3_of(Some("abd"), Some("p"), Some("https://a"), None), false),
        (ssh("ssh://me@old/srv/x"), ssh("ssh://new:2222/srv/x"), true),
        (ssh("ssh://me@old/srv/x"), ssh("ssh://me@old/srv/y"), false),
    ] {
        assert_eq!(one.is_same_place(&other), same, "{one} {other}");
    }
}
