//! A picture as SVG: bars, lines and words, in colours that are read on light and on dark pages.

use std::fmt::Write;

/// What a bar says by its colour.
#[derive(Clone, Copy)]
pub enum Paint {
    Good,
    Fair,
    Bad,
    Other,
}

/// A picture in the making.
pub struct Picture {
    wide: f64,
    tall: f64,
    parts: String,
}

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}line{stroke:#1f2328;stroke-width:1.5}\
    .paper{fill:#fff}.good{fill:#2da44e}.fair{fill:#d4a72c}.bad{fill:#cf222e}.other{fill:#8c959f}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}line{stroke:#e6edf3}.paper{fill:#0d1117}}";

impl Picture {
    /// An empty one.
    pub fn new(wide: f64, tall: f64) -> Picture {
        Picture { wide, tall, parts: String::new() }
    }

    /// A bar from its upper left corner.
    pub fn bar(&mut self, left: f64, top: f64, long: f64, thick: f64, paint: Paint) {
        let class = match paint {
            Paint::Good => "good",
            Paint::Fair => "fair",
            Paint::Bad => "bad",
            Paint::Other => "other",
        };
        let _ = writeln!(
            self.parts,
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{long:.1}" height="{thick:.1}" rx="2"/>"#
        );
    }

    /// A line from top to bottom.
    pub fn line(&mut self, at: f64, top: f64, bottom: f64) {
        let _ = writeln!(self.parts, r#"<line x1="{at:.1}" y1="{top:.1}" x2="{at:.1}" y2="{bottom:.1}"/>"#);
    }

    /// Words on a base line; `anchor` is what of them stands at `left`: `start` or `end`.
    pub fn text(&mut self, left: f64, base: f64, anchor: &str, words: &str) {
        let words = escaped(words);
        let _ = writeln!(self.parts, r#"<text x="{left:.1}" y="{base:.1}" text-anchor="{anchor}">{words}</text>"#);
    }

    /// The whole file.
    pub fn done(self, title: &str) -> String {
        let Picture { wide, tall, parts } = self;
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {tall:.0}\" width=\"{wide:.0}\" height=\"{tall:.0}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{parts}</svg>\n"
        )
    }
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cannot_become_marks() {
        let mut picture = Picture::new(10.0, 10.0);
        picture.text(1.0, 2.0, "start", "a < b & c");
        let told = picture.done("x > y");
        assert!(told.contains(r#"<text x="1.0" y="2.0" text-anchor="start">a &lt; b &amp; c</text>"#), "{told}");
        assert!(told.contains("<title>x &gt; y</title>"));
    }
}
