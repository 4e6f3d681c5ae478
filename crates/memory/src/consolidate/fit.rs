//! Many texts in one room: each keeps its beginning, and only the longest are cut.

use loci_domain::tokens::estimate;

/// Put where a text was cut.
const CUT: &str = "\n(cut here)\n\n";

/// The texts within so many tokens together: short ones whole, the others cut to the same length.
pub(super) fn within(texts: Vec<String>, tokens: usize) -> Vec<String> {
    let weights: Vec<usize> = texts.iter().map(|text| estimate(text)).collect();
    let share = share(&weights, tokens);
    let fit = |(text, weight): (String, usize)| if weight <= share { text } else { cut(text, weight, share) };
    texts.into_iter().zip(weights).map(fit).collect()
}

/// The largest share with which all of them fit.
fn share(weights: &[usize], tokens: usize) -> usize {
    let mut sorted = weights.to_vec();
    sorted.sort_unstable();
    let mut left = tokens;
    for (at, weight) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - at);
        if *weight > share {
            return share;
        }
        left -= weight;
    }
    usize::MAX
}

/// The beginning of a text, as much as its share allows.
fn cut(mut text: String, weight: usize, share: usize) -> String {
    let room = share.saturating_sub(estimate(CUT));
    // Tokens are spread unevenly over a text: what is still too long is cut once more.
    let mut end = text.len() * room / weight.max(1);
    loop {
        end = text.floor_char_boundary(end);
        if end == 0 {
            return String::new();
        }
        if estimate(&text[..end]) <= room {
            text.truncate(end);
            return text + CUT;
        }
        end = end * 9 / 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ones_stay_whole_and_all_fit() {
        let texts: Vec<String> = [3, 4_000, 20, 900].iter().map(|words| "some words ".repeat(*words)).collect();
        for tokens in [300, 1_000, 3_000] {
            let fit = within(texts.clone(), tokens);
            assert!(fit.iter().map(|text| estimate(text)).sum::<usize>() <= tokens, "{tokens}");
            assert_eq!((&fit[0], &fit[2]), (&texts[0], &texts[2]));
            assert!(fit[1].ends_with(CUT) && fit[1].starts_with("some words"));
        }
        assert_eq!(within(texts.clone(), 100_000), texts);
        assert_eq!(within(Vec::new(), 10), Vec::<String>::new());
    }
}
