use proptest::prelude::*;
use ptc_chat::{Part, Role};

use super::*;

/// Counts that OpenAI publishes for this vocabulary.
#[test]
fn known_counts() {
    let known = [("antidisestablishmentarianism", 6), ("2 + 2 = 4", 7), ("お誕生日おめでとう", 8), ("", 0)];
    for (text, tokens) in known {
        assert_eq!((text, O200k.count(text)), (text, tokens));
    }
}

#[test]
fn a_ceiling_says_how_much_too_large_a_request_is() {
    let ceiling = Ceiling::new(40, ByteBound);
    let messages =
        [Message::new(Role::User, [Part::stable("12345"), Part::changing("67890")]), Message::assistant("(go)")];
    assert!(ceiling.check(&ceiling.requests("system"), &messages).is_ok());
    let over = ceiling.check(&ceiling.requests("systems, long ones"), &messages).unwrap_err();
    assert_eq!(over.to_string(), "47 tokens (counted in bytes), and max_tokens is 40");
    assert_eq!(
        format!("{ceiling:?} {:?}", ceiling.requests("")),
        r#"Ceiling { max_tokens: 40, counter: "bytes" } RequestCounter("bytes")"#
    );
}

#[test]
fn four_characters_are_a_token() {
    assert_eq!(["", "abc", "abcd", "äöüßäöü", "äöüßäöüß"].map(|text| Estimate.count(text)), [0, 0, 1, 1, 2]);
}

#[test]
fn only_what_could_be_too_much_is_counted() {
    struct Never;
    impl TokenCounter for Never {
        fn name(&self) -> &str {
            "never"
        }
        fn count(&self, text: &str) -> usize {
            panic!("nobody counts {text}")
        }
    }
    let ceiling = Ceiling::new(100, Never);
    assert!(ceiling.check(&ceiling.requests("system"), &[Message::user("x".repeat(80))]).is_ok());
}

proptest! {
    #[test]
    fn a_text_has_never_more_tokens_than_bytes(text in "\\PC{0,60}", again in 1..40_usize) {
        let text = text.repeat(again);
        prop_assert!(O200k.count(&text) <= ByteBound.count(&text));
    }
}
