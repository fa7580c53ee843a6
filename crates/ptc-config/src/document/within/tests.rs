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
