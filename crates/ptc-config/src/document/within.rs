//! Places inside texts: from a decoded text to the file that it was written in.

/// Where byte `at` of a decoded text is in `raw`, the TOML of the text with its quotes.
///
/// In multi-line texts lines may end in `\`, and escapes are longer than what they mean.
pub(super) fn raw_offset(raw: &str, at: usize) -> usize {
    let (quote, is_basic) = match raw.as_bytes() {
        [b'"', b'"', b'"', ..] => (3, true),
        [b'"', ..] => (1, true),
        [b'\'', b'\'', b'\'', ..] => (3, false),
        _ => (1, false),
    };
    let inner = raw.get(quote..).unwrap_or_default();
    // A line break after the opening quotes does not count.
    let skipped = match (quote, inner.as_bytes()) {
        (3, [b'\n', ..]) => 1,
        (3, [b'\r', b'\n', ..]) => 2,
        _ => 0,
    };
    let begin = quote + skipped;
    if !is_basic {
        return begin + at;
    }
    let mut rest = raw.get(begin..).unwrap_or_default();
    let mut decoded = 0;
    while decoded < at && !rest.is_empty() {
        let (length, means) = piece(rest);
        decoded += means;
        rest = rest.get(length..).unwrap_or_default();
    }
    // What means nothing may precede the character.
    while let (length @ 1.., 0) = piece(rest) {
        rest = rest.get(length..).unwrap_or_default();
    }
    raw.len() - rest.len()
}

/// The length of the first character or escape of a basic text, and of what it means, in bytes.
fn piece(text: &str) -> (usize, usize) {
    let mut chars = text.chars();
    let digits = |count: usize| {
        let code = text.get(2..2 + count).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        (2 + count, code.and_then(char::from_u32).map_or(1, char::len_utf8))
    };
    match (chars.next(), chars.next()) {
        (Some('\\'), Some('x')) => digits(2),
        (Some('\\'), Some('u')) => digits(4),
        (Some('\\'), Some('U')) => digits(8),
        (Some('\\'), Some(next)) if next.is_whitespace() => {
            let blank = text.get(1..).unwrap_or_default();
            (1 + blank.len() - blank.trim_start().len(), 0)
        }
        (Some('\\'), Some(_)) => (2, 1),
        (Some(first), _) => (first.len_utf8(), first.len_utf8()),
        (None, _) => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toml::de::DeTable;

    use super::raw_offset;

    /// What is at the place of the first `!` of the text that `raw` means.
    fn check(raw: &str) -> &str {
        let file = format!("a = {raw}");
        let table: toml::Table = toml::from_str(&file).unwrap();
        let at = table["a"].as_str().unwrap().find('!').unwrap();
        &raw[raw_offset(raw, at)..]
    }

    #[test]
    fn texts_of_all_kinds() {
        assert_eq!(check(r#""a!b""#), "!b\"");
        assert_eq!(check("'a\\n!b'"), "!b'");
        assert_eq!(check("'''\na\n!b'''"), "!b'''");
        assert_eq!(check("'''a!'''"), "!'''");
        assert_eq!(check(r#""\ta \"x\" \u00fc \U0001F600 !b""#), "!b\"");
        assert_eq!(check("\"\"\"\n\\u00fc one \\\n   two\n  !b\"\"\""), "!b\"\"\"");
        assert_eq!(check("\"\"\"\n\\\n   !b\"\"\""), "!b\"\"\"");
    }

    proptest! {
        /// However TOML writes a text, each of its characters is found again.
        #[test]
        fn characters_are_found(text in "[a-zäß😀 \"\\\\\t\n']{0,20}", quotes in 0..3usize) {
            let escaped: String = text.chars().map(|c| match c {
                '"' => "\\\"".to_owned(),
                '\\' => "\\\\".to_owned(),
                '\n' => "\\n".to_owned(),
                'ä' => "\\u00e4".to_owned(),
                '😀' => "\\U0001F600".to_owned(),
                c => c.to_string(),
            }).collect();
            let raw = match quotes {
                0 => format!("\"{escaped}!\""),
                1 => format!("\"\"\"\n{escaped}\\\n  !\"\"\""),
                _ => format!("'''\n{}!'''", text.replace("'", "")),
            };
            prop_assume!(DeTable::parse(&format!("a = {raw}")).is_ok());
            prop_assert!(check(&raw).starts_with('!'), "{raw}");
        }
    }
}
