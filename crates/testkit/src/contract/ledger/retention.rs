//! What retention removes, and what it must leave.

use super::sample::*;
use loci_domain::change::{Change, Image};
use loci_domain::digest::Digest;
use loci_ledger::{Ledger, Pruned, Retention};

/// Changes before the given time go, and images that only they referred to.
pub async fn old_changes_go_with_their_images(ledger: &dyn Ledger) {
    make(
        ledger,
        &[
            Change { at: at(10), ..change("old") },
            Change { at: at(20), ..change("edge") },
            Change { at: at(30), ..change("new") },
        ],
    )
    .await;
    let pruned = ledger.prune(Retention { oldest: at(20), bytes: u64::MAX }).await.unwrap();
    assert_eq!(pruned, Pruned { changes: 1, images: 1 });
    assert_eq!(log(ledger).await, ["new", "edge"]);
    assert_eq!(ledger.image(&image("old").digest).await.unwrap(), None);
    assert!(ledger.image(&image("new").digest).await.unwrap().is_some());
}

/// Pending changes stay, however old and large.
pub async fn pending_changes_stay(ledger: &dyn Ledger) {
    ledger.intend(&[change("pending")], &[image("pending")]).await.unwrap();
    let pruned = ledger.prune(Retention { oldest: at(1_000), bytes: 0 }).await.unwrap();
    assert_eq!(pruned, Pruned::default());
    assert_eq!(ids(&ledger.pending(&home().place).await.unwrap()), ["pending"]);
    assert!(ledger.image(&image("pending").digest).await.unwrap().is_some());
}

/// Images that a newer change or a file refers to stay.
pub async fn images_that_are_needed_stay(ledger: &dyn Ledger) {
    let newer = Change { at: at(50), before: Some(image("a").digest), ..change("newer") };
    make(ledger, &[change("a"), change("b"), change("c"), newer]).await;
    let mut row = document("b.md");
    row.digest = image("b").digest;
    keep(ledger, vec![row]).await;
    let pruned = ledger.prune(Retention { oldest: at(50), bytes: u64::MAX }).await.unwrap();
    assert_eq!(pruned, Pruned { changes: 3, images: 1 });
    for (word, kept) in [("a", true), ("b", true), ("c", false), ("newer", true)] {
        assert_eq!(ledger.image(&image(word).digest).await.unwrap().is_some(), kept, "{word}");
    }
}

/// The oldest recorded go first, no more than needed.
pub async fn the_oldest_go_until_images_fit(ledger: &dyn Ledger) {
    // Noise, so that compression cannot make it smaller: four images of 3,200 bytes.
    let noise = |seed: u32| -> Vec<u8> {
        (0..100)
            .flat_map(|n: u32| {
                Digest::of(&(seed, n).0.wrapping_mul(1_000).wrapping_add(n).to_le_bytes()).as_bytes().to_vec()
            })
            .collect()
    };
    for (number, word) in (1..).zip(["a", "b", "c", "d"]) {
        let image = Image::of(noise(number));
        // The clock runs backwards; the order of recording counts.
        let change = Change { at: at(100 - i64::from(number)), after: Some(image.digest), ..change(word) };
        ledger.settle(loci_domain::row::Batch { noticed: vec![change], images: vec![image], ..batch() }).await.unwrap();
    }
    let pruned = ledger.prune(Retention { oldest: at(0), bytes: 7_000 }).await.unwrap();
    assert_eq!(pruned, Pruned { changes: 2, images: 2 });
    assert_eq!(log(ledger).await, ["d", "c"]);
    assert_eq!(ledger.image(&Digest::of(&noise(1))).await.unwrap(), None);
    assert_eq!(ledger.image(&Digest::of(&noise(4))).await.unwrap(), Some(noise(4)));
    let pruned = ledger.prune(Retention { oldest: at(0), bytes: 0 }).await.unwrap();
    assert_eq!(pruned, Pruned { changes: 2, images: 2 });
}

/// An empty journal, and one that fits.
pub async fn nothing_to_prune_is_nothing(ledger: &dyn Ledger) {
    let keep = Retention { oldest: at(0), bytes: 1_000 };
    assert_eq!(ledger.prune(keep).await.unwrap(), Pruned::default());
    make(ledger, &[change("a")]).await;
    assert_eq!(ledger.prune(keep).await.unwrap(), Pruned::default());
    assert_eq!(log(ledger).await, ["a"]);
}
