//! Tellings and who listens.

use loci_ledger::{Ledger, Listener, Telling};

fn telling(n: usize) -> Telling {
    Telling {
        room: format!("room {}", n % 2),
        kind: "memory_changed".to_owned(),
        data: format!("{{\"n\":{n}}}"),
        client: (n == 1).then(|| "client".to_owned()),
    }
}

/// Each has a higher number than those before, and comes back as it was told.
pub async fn tellings_come_in_order(ledger: &impl Ledger) {
    assert_eq!(ledger.last_told().await.unwrap(), 0);
    assert_eq!(ledger.told(0, 10).await.unwrap(), []);
    let mut numbers = Vec::new();
    for n in 0..5 {
        numbers.push(ledger.tell(&telling(n), 100).await.unwrap());
    }
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(ledger.last_told().await.unwrap(), numbers[4]);
    let all = ledger.told(0, 10).await.unwrap();
    assert_eq!(all, numbers.iter().copied().zip((0..5).map(telling)).collect::<Vec<_>>());
    let some = ledger.told(numbers[1], 2).await.unwrap();
    assert_eq!(some.iter().map(|(number, _)| *number).collect::<Vec<_>>(), numbers[2..4]);
    assert_eq!(ledger.told(numbers[4], 2).await.unwrap(), []);
}

/// Only so many are kept.
pub async fn the_first_tellings_go(ledger: &impl Ledger) {
    for n in 0..7 {
        ledger.tell(&telling(n), 3).await.unwrap();
    }
    let left: Vec<Telling> = ledger.told(0, 10).await.unwrap().into_iter().map(|(_, telling)| telling).collect();
    assert_eq!(left, (4..7).map(telling).collect::<Vec<_>>());
}

/// With all of its rooms, whatever is in their names.
pub async fn a_listener_comes_back_whole(ledger: &impl Ledger) {
    let listener = |id: &str, rooms: &[&str]| Listener {
        id: id.to_owned(),
        account: "local".to_owned(),
        rooms: rooms.iter().map(|room| (*room).to_owned()).collect(),
    };
    assert_eq!(ledger.admitted("one").await.unwrap(), None);
    let one = listener("one", &["a\"b, c", "", "line\nbreak", "日本"]);
    ledger.admit(&one, 2).await.unwrap();
    assert_eq!(ledger.admitted("one").await.unwrap(), Some(one));
    ledger.admit(&listener("two", &[]), 2).await.unwrap();
    assert_eq!(ledger.admitted("two").await.unwrap(), Some(listener("two", &[])));
    ledger.admit(&listener("three", &["x"]), 2).await.unwrap();
    assert_eq!(ledger.admitted("one").await.unwrap(), None, "the first goes");
    assert!(ledger.admitted("two").await.unwrap().is_some());
}
