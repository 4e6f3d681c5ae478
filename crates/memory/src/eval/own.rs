//! The health of one's own store, in a few numbers and without a model.

use crate::{Memory, Result};
use loci_domain::{alike, document, entry, secrets, words};
use loci_store::catalog;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// How one's own memory is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// How many documents there are.
    pub documents: usize,
    /// How many memories are in them.
    pub entries: usize,
    /// Share of documents that recall finds among the first five by their own description.
    pub known_item: f64,
    /// Memories that say what another one says.
    pub duplicates: usize,
    /// Documents of which something that they name has changed or gone.
    pub stale: usize,
    /// Places that look like a secret.
    pub secrets: usize,
    /// Files above the limit, which are not read.
    pub oversized: usize,
}

impl Memory {
    /// Looks at every document of every scope that is there.
    pub async fn eval_self(&self) -> Result<Health> {
        let mut entries: Vec<String> = Vec::new();
        let (mut documents, mut secret, mut oversized) = (0, 0, 0);
        for root in self.roots(None)? {
            for (path, meta) in &self.store.sync(root).await?.files {
                if path.is_index() {
                    continue;
                }
                if meta.bytes > self.store.settings().file_bytes {
                    oversized += 1;
                    continue;
                }
                let Some(blob) = self.store.read(root, path).await? else { continue };
                let Some(text) = catalog::text(&blob.bytes) else { continue };
                documents += 1;
                secret += secrets::scan(text).len();
                let body = document::read(path, text).body;
                entries.extend(entry::entries(text, body).iter().map(|entry| entry.text(text).to_owned()));
            }
        }
        let (asked, found) = self.known_items().await?;
        let known_item = if asked == 0 { 1.0 } else { (found as f64 / asked as f64 * 1e4).round() / 1e4 };
        let stale = self.list(None).await?.iter().filter(|file| file.stale).count();
        let duplicates = duplicates(&entries);
        Ok(Health { documents, entries: entries.len(), known_item, duplicates, stale, secrets: secret, oversized })
    }
}

/// How many texts are near-duplicates of an earlier one.
///
/// Two texts with four of five words in common share one of the rarest words of each, so only those are compared.
fn duplicates(texts: &[String]) -> usize {
    let bags: Vec<BTreeSet<String>> = texts.iter().map(|text| words::tokens(text).into_iter().collect()).collect();
    let mut frequency: HashMap<&str, usize> = HashMap::new();
    bags.iter().flatten().for_each(|word| *frequency.entry(word).or_default() += 1);
    let mut earlier: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut count = 0;
    for (at, bag) in bags.iter().enumerate() {
        let mut rarest: Vec<&str> = bag.iter().map(String::as_str).collect();
        rarest.sort_unstable_by_key(|word| (frequency[word], *word));
        let looked = bag.len() - (bag.len() as f64 * alike::NEAR).ceil() as usize + 1;
        rarest.truncate(looked);
        let candidates: BTreeSet<usize> = rarest.iter().flat_map(|word| earlier.get(word)).flatten().copied().collect();
        let near = |other: &usize| alike::likeness(&texts[at], &texts[*other]) >= alike::NEAR;
        count += usize::from(candidates.iter().any(near));
        for word in rarest {
            earlier.entry(word).or_default().push(at);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::duplicates;

    #[test]
    fn near_duplicates_are_counted_once_each() {
        let check = |texts: &[&str], expected| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(duplicates(&texts), expected, "{texts:?}");
        };
        check(&[], 0);
        check(&["", "", "Use tabs"], 0);
        check(&["Use tabs in Go code", "use **tabs** in Go code!", "Use tabs in Go code."], 2);
        check(&["The port is 8080", "The port is 8081"], 0);
        check(
            &[
                "Deploys of the billing service run every Tuesday morning at nine",
                "Deploys of the billing service run every Tuesday morning at nine sharp",
            ],
            1,
        );
    }
}
