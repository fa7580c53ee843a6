//! Text inside pages and pictures.

use ptc_lisp::text::escaped_lines;

/// Text that is only text in HTML and SVG: no markup, and no character that is not allowed in a page or changes the
/// direction of writing.
///
/// ```
/// assert_eq!(ptc_trace::markup_text("<b>"), "&lt;b&gt;");
/// ```
#[must_use]
pub fn markup_text(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for c in escaped_lines(text).chars() {
        match c {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            c => markup.push(c),
        }
    }
    markup
}
