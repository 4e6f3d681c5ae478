//! Known items: whether recall finds a document by what it says of itself.

use super::question::Question;
use crate::{Memory, Result};

/// Documents that are asked for at most, evenly over all of them.
const MOST: usize = 500;
const FIRST: usize = 5;

impl Memory {
    /// How many documents were asked for by their description (or name), and how many were among the first five.
    /// Leaves no use and no receipt behind.
    pub(crate) async fn known_items(&self) -> Result<(usize, usize)> {
        let shelves = self.shelves(None).await?;
        let all: Vec<(usize, usize)> = shelves
            .iter()
            .enumerate()
            .flat_map(|(at, shelf)| (0..shelf.documents.len()).map(move |document| (at, document)))
            .collect();
        let (mut asked, mut found) = (0, 0);
        for (at, document) in all.iter().step_by(all.len().div_ceil(MOST).max(1)) {
            let (shelf, number) = (&shelves[*at], shelves[*at].documents[*document].number);
            let Some((_, card)) = self.record()?.cards(&shelf.place, &[number]).await?.pop() else { continue };
            let text = if card.description.is_empty() { card.name } else { card.description };
            let ranked = self.rank(&Question::new(&text), &shelves).await?;
            asked += 1;
            let first = ranked.iter().take(FIRST);
            found += usize::from(first.into_iter().any(|ranked| (ranked.shelf, ranked.document) == (*at, *document)));
        }
        Ok((asked, found))
    }
}
