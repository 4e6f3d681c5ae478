//! Accounts and what they hold: nobody sees what is somebody else's.

use super::sample::at;
use loci_ledger::{Account, Card, Holding, Ledger};

fn account(name: &str, hash: u8) -> Account {
    Account { id: format!("acct_{name}"), name: name.to_owned(), hash: [hash; 32], at: at(i64::from(hash)) }
}

fn card(id: &str, account: &str) -> Card {
    Card {
        id: id.to_owned(),
        account: account.to_owned(),
        body: format!("{{\"id\":\"{id}\"}}"),
        created_at: at(1),
        updated_at: at(2),
    }
}

/// By its hash, and by nothing else; names are given once.
pub async fn an_account_is_known_by_its_key(ledger: &dyn Ledger) {
    assert!(ledger.add_account(&account("beta", 2)).await.unwrap());
    assert!(ledger.add_account(&account("alpha", 1)).await.unwrap());
    assert!(!ledger.add_account(&Account { id: "acct_x".to_owned(), ..account("beta", 3) }).await.unwrap());
    assert_eq!(ledger.account_of_key(&[2; 32]).await.unwrap(), Some(account("beta", 2)));
    assert_eq!(ledger.account_of_key(&[3; 32]).await.unwrap(), None);
    assert_eq!(ledger.accounts().await.unwrap(), [account("alpha", 1), account("beta", 2)]);
    assert!(ledger.remove_account("acct_beta").await.unwrap());
    assert!(!ledger.remove_account("acct_beta").await.unwrap());
    assert_eq!(ledger.account_of_key(&[2; 32]).await.unwrap(), None);
}

/// Whole, in the order in which they were made, by kind and account.
pub async fn holdings_are_kept_apart(ledger: &dyn Ledger) {
    for (kind, id, account) in [
        (Holding::Workspace, "ws_2", "a"),
        (Holding::Workspace, "ws_1", "a"),
        (Holding::Agent, "ag_1", "a"),
        (Holding::Workspace, "ws_3", "b"),
    ] {
        assert!(ledger.add_holding(kind, &card(id, account), 10).await.unwrap());
    }
    let mine = ledger.holdings(Holding::Workspace, "a").await.unwrap();
    assert_eq!(mine, [card("ws_2", "a"), card("ws_1", "a")]);
    assert_eq!(ledger.holding(Holding::Workspace, "a", "ws_1").await.unwrap(), Some(card("ws_1", "a")));
    for (kind, account, id) in
        [(Holding::Workspace, "b", "ws_1"), (Holding::Agent, "a", "ws_1"), (Holding::Sandbox, "a", "sb_1")]
    {
        assert_eq!(ledger.holding(kind, account, id).await.unwrap(), None);
        assert!(!ledger.remove_holding(kind, account, id).await.unwrap());
    }
    assert!(ledger.remove_holding(Holding::Workspace, "a", "ws_1").await.unwrap());
    assert_eq!(ledger.holding(Holding::Workspace, "a", "ws_1").await.unwrap(), None);
}

/// Of two who change the same thing, one is told.
pub async fn a_change_is_of_what_was_seen(ledger: &dyn Ledger) {
    let first = card("ws_1", "a");
    ledger.add_holding(Holding::Workspace, &first, 10).await.unwrap();
    let second = Card { body: "{}".to_owned(), updated_at: at(9), ..first.clone() };
    assert!(ledger.change_holding(Holding::Workspace, &second, &first.body).await.unwrap());
    assert!(!ledger.change_holding(Holding::Workspace, &second, &first.body).await.unwrap());
    let foreign = Card { account: "b".to_owned(), ..second.clone() };
    assert!(!ledger.change_holding(Holding::Workspace, &foreign, &second.body).await.unwrap());
    assert_eq!(ledger.holding(Holding::Workspace, "a", "ws_1").await.unwrap(), Some(second));
}

/// By account and kind.
pub async fn holdings_are_bounded(ledger: &dyn Ledger) {
    assert!(ledger.add_holding(Holding::Agent, &card("ag_1", "a"), 1).await.unwrap());
    assert!(!ledger.add_holding(Holding::Agent, &card("ag_2", "a"), 1).await.unwrap());
    assert!(ledger.add_holding(Holding::Agent, &card("ag_3", "b"), 1).await.unwrap());
    assert!(ledger.add_holding(Holding::Sandbox, &card("sb_1", "a"), 1).await.unwrap());
}
