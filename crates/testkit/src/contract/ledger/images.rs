//! Bytes by digest, and what voiding does to them.

use super::sample::*;
use loci_domain::change::{Change, Image};
use loci_domain::digest::Digest;
use loci_domain::row::Batch;
use loci_ledger::Ledger;

/// Any bytes come back as they were: none, few, many, text, noise.
pub async fn bytes_come_back(ledger: &dyn Ledger) {
    let noise: Vec<u8> =
        (0..2_000u32).flat_map(|n| *Digest::of(&n.to_le_bytes()).as_bytes().first_chunk::<8>().unwrap()).collect();
    let all = [
        Vec::new(),
        b"x".to_vec(),
        vec![7; 63],
        vec![7; 64],
        b"a line of text\n".repeat(70_000),
        noise,
        vec![0, 255, 0],
    ];
    let images: Vec<Image> = all.iter().cloned().map(Image::of).collect();
    let changes: Vec<Change> = images
        .iter()
        .enumerate()
        .map(|(n, image)| Change { after: Some(image.digest), ..change(&format!("c{n}")) })
        .collect();
    ledger.intend(&changes, &images).await.unwrap();
    // Storing the same once more changes nothing.
    ledger.intend(&[change("again")], &images).await.unwrap();
    for bytes in all {
        assert_eq!(ledger.image(&Digest::of(&bytes)).await.unwrap(), Some(bytes));
    }
}

/// Bytes that nobody stored.
pub async fn unknown_bytes_are_none(ledger: &dyn Ledger) {
    assert_eq!(ledger.image(&Digest::of(b"?")).await.unwrap(), None);
}

/// Voided changes never were, and neither were their images.
pub async fn voided_goes_with_its_images(ledger: &dyn Ledger) {
    let both = Change { before: Some(image("before").digest), ..change("a") };
    ledger.intend(&[both], &[image("a"), image("before")]).await.unwrap();
    ledger.void(&[id("a")]).await.unwrap();
    assert!(ledger.pending(&home().place).await.unwrap().is_empty());
    for word in ["a", "before"] {
        assert_eq!(ledger.image(&image(word).digest).await.unwrap(), None, "{word}");
    }
    // The id is free again.
    ledger.intend(&[change("a")], &[]).await.unwrap();
    assert_eq!(ledger.pending(&home().place).await.unwrap().len(), 1);
}

/// Images that another change or a file refers to stay.
pub async fn voiding_leaves_what_others_need(ledger: &dyn Ledger) {
    let (before, after, file) = (image("before"), image("after"), image("file"));
    let all = [before.clone(), after.clone(), file.clone()];
    make(ledger, &[Change { before: Some(before.digest), after: Some(after.digest), ..change("settled") }]).await;
    let mut row = document("file.md");
    row.digest = file.digest;
    keep(ledger, vec![row]).await;
    let one = Change { before: Some(after.digest), after: Some(file.digest), ..change("one") };
    let two = Change { before: Some(before.digest), after: None, ..change("two") };
    ledger.intend(&[one, two], &all).await.unwrap();
    ledger.void(&[id("one"), id("two")]).await.unwrap();
    for image in all {
        assert_eq!(ledger.image(&image.digest).await.unwrap(), Some(image.bytes));
    }
}

/// Voiding an unknown or settled id does nothing.
pub async fn voiding_what_is_not_pending_does_nothing(ledger: &dyn Ledger) {
    make(ledger, &[change("a")]).await;
    ledger.void(&[id("a"), id("nobody")]).await.unwrap();
    ledger.void(&[]).await.unwrap();
    assert_eq!(log(ledger).await, ["a"]);
    assert_eq!(ledger.image(&image("a").digest).await.unwrap().unwrap(), b"a");
    ledger.settle(Batch { settled: vec![id("nobody")], ..batch() }).await.unwrap();
}
