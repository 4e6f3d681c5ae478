//! Clients and tokens: known letter by letter, bounded, and gone when they are removed.

use super::sample::at;
use loci_ledger::{Ledger, Token};

fn token(name: &str, hash: u8) -> Token {
    Token { name: name.to_owned(), hash: [hash; 32], read_only: hash % 2 == 1, at: at(i64::from(hash)) }
}

/// Not by its beginning, nor in other letters.
pub async fn a_client_is_known_by_its_whole_name(ledger: &dyn Ledger) {
    ledger.register_client("client-a", at(1), 10).await.unwrap();
    ledger.register_client("client-a", at(2), 10).await.unwrap();
    assert!(ledger.knows_client("client-a").await.unwrap());
    for other in ["client", "Client-A", "client-a ", "", "%"] {
        assert!(!ledger.knows_client(other).await.unwrap(), "{other}");
    }
}

/// By the order of registration, whatever the clock said.
pub async fn the_first_clients_go(ledger: &dyn Ledger) {
    for (n, id) in ["a", "b", "c", "d"].into_iter().enumerate() {
        ledger.register_client(id, at(100 - n as i64), 2).await.unwrap();
    }
    let mut known = Vec::new();
    for id in ["a", "b", "c", "d"] {
        known.push(ledger.knows_client(id).await.unwrap());
    }
    assert_eq!(known, [false, false, true, true]);
}

/// Whole, and in no other way.
pub async fn a_token_comes_back_by_its_hash(ledger: &dyn Ledger) {
    for token in [token("phone", 2), token("laptop", 1)] {
        assert!(ledger.add_token(&token).await.unwrap());
    }
    assert_eq!(ledger.token(&[1; 32]).await.unwrap(), Some(token("laptop", 1)));
    assert_eq!(ledger.token(&[3; 32]).await.unwrap(), None);
    assert_eq!(ledger.tokens().await.unwrap(), [token("laptop", 1), token("phone", 2)]);
}

/// The one that was there stays as it was.
pub async fn a_name_is_given_once(ledger: &dyn Ledger) {
    assert!(ledger.add_token(&token("phone", 1)).await.unwrap());
    assert!(!ledger.add_token(&token("phone", 2)).await.unwrap());
    assert_eq!(ledger.tokens().await.unwrap(), [token("phone", 1)]);
}

/// And its name is free again.
pub async fn a_removed_token_is_gone(ledger: &dyn Ledger) {
    assert!(ledger.add_token(&token("phone", 1)).await.unwrap());
    assert!(ledger.remove_token("phone").await.unwrap());
    assert!(!ledger.remove_token("phone").await.unwrap());
    assert_eq!(ledger.token(&[1; 32]).await.unwrap(), None);
    assert!(ledger.add_token(&token("phone", 2)).await.unwrap());
}
