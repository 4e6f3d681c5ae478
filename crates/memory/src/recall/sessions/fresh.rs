//! A message made ready for search: cut into tokens, embedded, and looked at for a question.

use loci_domain::words;
use loci_llm::embedders::static_minilm::StaticMinilm;
use loci_store::record::{Message, Said};

/// Who cut and embedded a message; raise the last number with any change here, and [`words::RULES`] goes along.
pub(crate) const MAKER: &str = "words-1/static-minilm-256-1/1";

/// Bytes of a message that are searched: the start of a log of megabytes says what it is.
const LONGEST: usize = 64 << 10;

/// Makes a message ready.
pub(crate) fn said(message: Message) -> Said {
    let text = &message.content[..message.content.floor_char_boundary(LONGEST)];
    let vector = StaticMinilm::default().quantised(text).iter().map(|part| part.cast_unsigned()).collect();
    let asks = message.content.trim_end().ends_with(['?', '？', '؟']);
    Said { words: words::segmented(text), asks, vector, message }
}

#[cfg(test)]
mod tests {
    use super::MAKER;
    use loci_domain::words;
    use loci_llm::embedders::static_minilm::NAME;

    #[test]
    fn the_maker_names_its_rules() {
        assert_eq!(MAKER, format!("words-{}/{}/1", words::RULES, NAME.replace('/', "-")));
    }
}
