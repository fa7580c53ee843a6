//! JSON as editors write it, as plain JSON.

/// The text with spaces for comments and for commas before `}` and `]`: places in it stay what they were.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // The last comma, while nothing but blank space followed it.
    let mut comma = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' => string(rest),
            '/' => comment(rest).unwrap_or(1),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        rest = after;
        if c == '/' && length > 1 {
            plain.extend(token.chars().flat_map(|c| match c {
                '\n' | '\r' => std::iter::repeat_n(c, 1),
                _ => std::iter::repeat_n(' ', c.len_utf8()),
            }));
            continue;
        }
        if let ('}' | ']', Some(at)) = (c, comma) {
            plain.replace_range(at..at + 1, " ");
        }
        if c == ',' {
            comma = Some(plain.len());
        } else if !c.is_whitespace() {
            comma = None;
        }
        plain.push_str(token);
    }
    plain
}

/// The length of the string that the text begins with.
fn string(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// The length of the comment that the text begins with, if it does.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        Some(text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        let end = text.get(2..)?.find("*/");
        Some(end.map_or(text.len(), |end| end + 4))
    } else {
        None
    }
}
