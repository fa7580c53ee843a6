use ptc_chat::{Message, Part, Role};

use super::{cut, prefix_end, wants_marks};

fn stable(text: &str) -> Message {
    Message::new(Role::User, [Part::stable(text)])
}

#[test]
fn the_prefix_ends_before_the_first_change() {
    let half = || Message::new(Role::User, [Part::stable("a"), Part::changing("b")]);
    assert_eq!(prefix_end(&[]), None);
    assert_eq!(prefix_end(&[Message::user("x"), stable("late")]), None);
    assert_eq!(prefix_end(&[half(), stable("late")]), Some(0));
    assert_eq!(prefix_end(&[stable("a"), half(), half()]), Some(1));
    assert_eq!(prefix_end(&[stable("a"), Message::user("x")]), Some(0));
    assert_eq!(prefix_end(&[stable("a"), stable("b")]), Some(1));
    assert_eq!(cut(&half()), ("a".to_owned(), "b".to_owned()));
}

#[test]
fn marks_are_for_newer_models_of_openai() {
    for model in ["gpt-5.6", "gpt-5.6-mini", "gpt-5.10", "gpt-6", "gpt-6-astra"] {
        assert!(wants_marks(model), "{model}");
    }
    for model in ["gpt-5", "gpt-5-mini", "gpt-5.5", "gpt-4o", "gpt-4.1", "o4-mini", "claude-sonnet-4-5", "gpt-oss-120b"] {
        assert!(!wants_marks(model), "{model}");
    }
}
