//! A text that is being changed, and what was changed, so that exactly that can be taken back.
//!
//! Owns the bookkeeping of edits. Never knows a format.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// One place that differs from the text before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Where it starts in the text after.
    pub at: usize,
    /// How long it is there.
    pub len: usize,
    /// What stood there before.
    pub was: String,
}

/// A text on its way.
#[derive(Debug, Clone)]
pub struct Patch {
    pub text: String,
    /// In order, apart from each other.
    pub edits: Vec<Edit>,
}

impl Patch {
    /// A text that is not changed yet.
    pub fn new(text: &str) -> Patch {
        Patch { text: text.to_owned(), edits: Vec::new() }
    }

    /// Puts `new` in the place of a span, which lies within one earlier edit or touches none.
    pub fn replace(&mut self, span: Range<usize>, new: &str) {
        let was = self.text[span.clone()].to_owned();
        self.text.replace_range(span.clone(), new);
        let inside = |edit: &Edit| edit.at <= span.start && span.end <= edit.at + edit.len;
        let home = self.edits.iter().position(inside);
        // By where they stood before this one: of two deletions that now meet, the one that stood first comes first.
        let place = self.edits.partition_point(|edit| edit.at < span.end);
        for (at, edit) in self.edits.iter_mut().enumerate() {
            if Some(at) == home {
                edit.len = edit.len + new.len() - was.len();
            } else if edit.at >= span.end {
                edit.at = edit.at + new.len() - was.len();
            }
        }
        if home.is_none() {
            self.edits.insert(place, Edit { at: span.start, len: new.len(), was });
        }
    }

    /// Puts text in between.
    pub fn insert(&mut self, at: usize, new: &str) {
        self.replace(at..at, new);
    }
}

/// The text before, from the text after.
pub fn revert(after: &str, edits: &[Edit]) -> Option<String> {
    let mut text = after.to_owned();
    for edit in edits.iter().rev() {
        let span = edit.at..edit.at.checked_add(edit.len)?;
        text.get(span.clone())?;
        text.replace_range(span, &edit.was);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_inside_and_beside_earlier_ones_are_taken_back() {
        let mut patch = Patch::new("one two three");
        patch.insert(3, ", and");
        patch.replace(patch.text.len() - 5..patch.text.len(), "3");
        patch.insert(5, "ALSO ");
        patch.insert(0, "> ");
        assert_eq!(patch.text, "> one, ALSO and two 3");
        assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some("one two three"));
        assert_eq!(revert("short", &patch.edits), None);
    }

    #[test]
    fn deletions_that_meet_come_back_in_their_order() {
        for order in
            [[(3..5, ""), (1..3, "")], [(1..3, ""), (1..3, "")], [(3..5, "X"), (1..3, "")], [(3..5, ""), (1..3, "X")]]
        {
            let mut patch = Patch::new("a[p][e]z");
            for (span, new) in &order {
                patch.replace(span.clone(), new);
            }
            assert_eq!(revert(&patch.text, &patch.edits).as_deref(), Some("a[p][e]z"), "{order:?}");
        }
    }

    proptest::proptest! {
        /// Whatever is put in the place of whichever parts, in whatever order: all of it is taken back.
        #[test]
        fn any_order_of_edits_is_taken_back(
            parts in proptest::collection::vec(("[a-z]{1,3}", "[A-Z]{0,3}", 0u8..4, proptest::prelude::any::<u32>()), 1..8)
        ) {
            let before: String = parts.iter().map(|part| part.0.as_str()).collect();
            let mut patch = Patch::new(&before);
            let mut now: Vec<&str> = parts.iter().map(|part| part.0.as_str()).collect();
            let mut order: Vec<usize> = (0..parts.len()).filter(|part| parts[*part].2 > 0).collect();
            order.sort_by_key(|part| parts[*part].3);
            for part in order {
                let start: usize = now[..part].iter().map(|text| text.len()).sum();
                patch.replace(start..start + now[part].len(), &parts[part].1);
                now[part] = &parts[part].1;
            }
            proptest::prop_assert_eq!(&patch.text, &now.concat());
            proptest::prop_assert_eq!(revert(&patch.text, &patch.edits), Some(before));
        }
    }
}
