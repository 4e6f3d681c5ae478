//! Rows of accounts, of what they hold, and of tokens.

use crate::columns::Columns;
use crate::{Account, Card, Result, Token};

/// Asks for accounts as [`account`] reads them.
macro_rules! select_account {
    ($rest:literal) => {
        concat!("SELECT id, name, hash, at FROM accounts ", $rest)
    };
}

/// Asks for cards as [`card`] reads them.
macro_rules! select_card {
    ($rest:literal) => {
        concat!("SELECT id, account, body, created_at, updated_at FROM holdings ", $rest)
    };
}

/// Asks for tokens as [`token`] reads them.
macro_rules! select_token {
    ($rest:literal) => {
        concat!("SELECT name, hash, read_only, at FROM tokens ", $rest)
    };
}
pub(crate) use {select_account, select_card, select_token};

pub(crate) fn account(row: &impl Columns) -> Result<Account> {
    Ok(Account { id: row.text(0)?, name: row.text(1)?, hash: row.hash(2)?, at: row.time(3)? })
}

pub(crate) fn card(row: &impl Columns) -> Result<Card> {
    Ok(Card {
        id: row.text(0)?,
        account: row.text(1)?,
        body: row.text(2)?,
        created_at: row.time(3)?,
        updated_at: row.time(4)?,
    })
}

pub(crate) fn token(row: &impl Columns) -> Result<Token> {
    Ok(Token { name: row.text(0)?, hash: row.hash(1)?, read_only: row.flag(2)?, at: row.time(3)? })
}
