//! Two nodes that settle what lies in one place, and that share images.

use super::fresh;
use loci_domain::change::Change;
use loci_domain::row::Batch;
use loci_ledger::{Catalog, Journal, Postgres, Search};
use loci_testkit::contract::ledger::sample;
use loci_testkit::servers::postgres::Database;

async fn two() -> ([Postgres; 2], Database) {
    let (one, database) = fresh().await;
    let two = Postgres::open(&database.url()).await.unwrap();
    ([one, two], database)
}

/// Counters add up, and the sums of a place fit its rows, whoever settles.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_settle_one_place() {
    let (nodes, _database) = two().await;
    let settling: Vec<_> = (0..4)
        .map(|worker: usize| {
            let node = nodes[worker % 2].clone();
            tokio::spawn(async move {
                for round in 0..10 {
                    let documents = vec![
                        sample::worded(&format!("{worker}.md"), "own", "", ""),
                        sample::worded("shared.md", "shared", "", &format!("w{worker} r{round}")),
                    ];
                    sample::make(&node, &[sample::change(&format!("{worker}-{round}"))]).await;
                    let used = vec![sample::path("shared.md")];
                    node.settle(Batch { documents, used, ..sample::batch() }).await.unwrap();
                }
            })
        })
        .collect();
    for one in settling {
        one.await.unwrap();
    }
    let place = sample::home().place;
    assert_eq!(nodes[0].count(&place).await.unwrap(), 5);
    assert_eq!(nodes[1].known(&place).await.unwrap().len(), 5);
    assert_eq!(sample::log(&nodes[0]).await.len(), 40);
    assert_eq!(sample::listed(&nodes[1], "shared.md").await.uses, 40);
    assert_eq!(nodes[0].postings(&place, &["shared".to_owned()]).await.unwrap().len(), 1);
    assert_eq!(nodes[0].numbers(&place).await.unwrap().len(), 5);
}

/// One node takes back what refers to an image while the other one comes to refer to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_needed_image_is_never_removed() {
    let ([one, two], _database) = two().await;
    let image = sample::image("shared");
    let of = |word: &str, place: &str| Change {
        place: sample::root(place).place,
        after: Some(sample::image("shared").digest),
        ..sample::change(word)
    };
    for round in 0..30 {
        let (gone, stays) = (format!("gone{round}"), format!("stays{round}"));
        one.intend(&[of(&gone, "one")], std::slice::from_ref(&image)).await.unwrap();
        let (change, shared) = ([of(&stays, "two")], [image.clone()]);
        let ids = [sample::id(&gone)];
        let (voided, intended) = tokio::join!(one.void(&ids), two.intend(&change, &shared));
        voided.unwrap();
        intended.unwrap();
        assert!(one.image(&image.digest).await.unwrap().is_some(), "round {round}");
        two.void(&[sample::id(&stays)]).await.unwrap();
        assert!(one.image(&image.digest).await.unwrap().is_none(), "round {round}");
    }
}
