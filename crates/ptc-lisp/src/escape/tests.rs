use proptest::prelude::*;

use super::*;
use crate::parse::is_invisible;

/// Characters that are active somewhere, and others.
fn odd_text() -> impl Strategy<Value = String> {
    let odd = prop_oneof![
        any::<char>(),
        prop::char::range('\0', '\u{A0}'),
        prop::char::range('\u{2000}', '\u{206F}'),
        prop::char::range('\u{FFF0}', '\u{FFFF}'),
        prop::char::range('\u{E0000}', '\u{E01EF}'),
        Just('\\'),
        Just('"'),
    ];
    prop::collection::vec(odd, 0..40).prop_map(|chars| chars.into_iter().collect())
}

fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
        || matches!(c, '\u{E0000}'..='\u{E0FFF}')
}

proptest! {
    #[test]
    fn nothing_that_acts_is_left(text in odd_text()) {
        prop_assert!(!escaped(&text).contains(acts));
        prop_assert!(!one_line(&text).contains(acts));
        prop_assert!(!escaped_lines(&text).contains(|c| acts(c) && c != '\n' && c != '\t'));
        prop_assert_eq!(escaped_lines(&text).lines().count(), text.split_inclusive('\n').count());
        let shown = printed(&text);
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
    }

    #[test]
    fn what_is_plain_stays(text in "[ -~äß中😀\u{301}\u{200D}]{0,40}") {
        prop_assert!(matches!(escaped(&text), Cow::Borrowed(same) if same == text));
        prop_assert!(matches!(printed(&text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn no_character_is_passed_over_for_its_first_byte(c: char) {
        let mut bytes = [0; 4];
        let first = c.encode_utf8(&mut bytes).as_bytes()[0];
        prop_assert!(!needs_escape(c) || may_begin_one(first));
    }
}

#[test]
fn whatever_is_escaped_is_read_back_and_seen_by_its_first_byte() {
    for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| needs_escape(*c)) {
        let mut shown = String::new();
        write_escape(&mut shown, c);
        let read = crate::parse::parse(&format!("\"{shown}\"")).unwrap();
        assert!(
            matches!(&read.forms[0].kind, crate::parse::FormKind::Str(text) if text.as_str() == c.to_string()),
            "{c:?}"
        );
        assert!(may_begin_one(c.to_string().as_bytes()[0]), "{c:?}");
        assert!(c.is_control() || is_invisible(c) || "\u{2028}\u{2029}\u{FFFE}\u{FFFF}".contains(c), "{c:?}");
    }
}
