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
fn a_request_is_more_than_its_texts() {
    let ceiling = Ceiling::new(40, ByteBound);
    let messages = [Message::new(Role::User, [Part::stable("12345"), Part::changing("67890")]), Message::assistant("(go)")];
    assert_eq!(ceiling.tokens("system", &messages), 3 + (4 + 6) + (4 + 10) + (4 + 4));
    assert!(ceiling.check("system", &messages).is_ok());
    let over = ceiling.check("systems, long ones", &messages).unwrap_err();
    assert_eq!(over.to_string(), "47 tokens (counted in bytes), and max_tokens is 40");
    assert_eq!(format!("{ceiling:?}"), r#"Ceiling { max_tokens: 40, counter: "bytes" }"#);
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
    assert!(Ceiling::new(100, Never).check("system", &[Message::user("x".repeat(80))]).is_ok());
}

proptest! {
    #[test]
    fn a_text_has_never_more_tokens_than_bytes(text in "\\PC{0,60}", again in 1..40_usize) {
        let text = text.repeat(again);
        prop_assert!(O200k.count(&text) <= ByteBound.count(&text));
    }
}
