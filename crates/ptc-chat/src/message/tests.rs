use proptest::prelude::*;

use crate::{Message, Part, Repeats, Role, ToolUse};

fn any_part() -> impl Strategy<Value = Part> {
    let repeats = prop::sample::select(vec![Repeats::Run, Repeats::Next, Repeats::No]);
    ("[a-zä€ ]{0,8}", repeats).prop_map(|(text, repeats)| Part { text, repeats })
}

proptest! {
    #[test]
    fn stable_bytes_end_where_the_first_part_starts_that_is_not(parts in prop::collection::vec(any_part(), 0..6)) {
        let message = Message::new(Role::User, parts.clone());
        let content = message.content().into_owned();
        let (head, tail) = content.split_at(message.stable_bytes());
        let changing = parts.iter().position(|part| part.repeats != Repeats::Run).unwrap_or(parts.len());
        let joined = |parts: &[Part]| parts.iter().map(|part| part.text.as_str()).collect::<String>();
        prop_assert_eq!(head, joined(&parts[..changing]));
        prop_assert_eq!(tail, joined(&parts[changing..]));
    }

    #[test]
    fn parts_survive_serde(part in any_part()) {
        let text = serde_json::to_string(&part).unwrap();
        prop_assert_eq!(serde_json::from_str::<Part>(&text).unwrap(), part);
    }

    #[test]
    fn a_repeated_message_says_the_same(parts in prop::collection::vec(any_part(), 0..6)) {
        let message = Message::new(Role::User, parts);
        let repeated = message.clone().repeated();
        prop_assert_eq!((repeated.content(), repeated.stable_bytes()), (message.content(), message.stable_bytes()));
        prop_assert!(repeated.parts.iter().all(|part| part.repeats <= Repeats::Next));
    }
}

#[test]
fn plain_messages_promise_nothing() {
    assert_eq!(Message::user("hello").stable_bytes(), 0);
    assert_eq!(Message::assistant("hello").content(), "hello");
}

#[test]
fn only_calls_make_a_message_of_calls() {
    let plain = Message::assistant("hello").with_tool_calls([]);
    assert_eq!(plain, Message::assistant("hello"));
    assert_eq!(plain.tool_calls(), []);
    let asking = Message::assistant("").with_tool_calls([ToolUse::new("c1", "rate", serde_json::json!({}))]);
    assert_eq!(asking.tool_calls().iter().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["c1"]);
    assert_eq!((Message::tool("c1", "5").role, asking.role), (Role::Tool, Role::Assistant));
}

#[test]
fn parts_that_were_written_before_are_read() {
    let check = |text: &str, part: Part| assert_eq!(serde_json::from_str::<Part>(text).unwrap(), part);
    check(r#"{"text":"a","stable":true}"#, Part::stable("a"));
    check(r#"{"text":"a","stable":false}"#, Part::changing("a"));
    let written = serde_json::to_string(&[Part::stable("a"), Part::repeated("b"), Part::changing("c")]).unwrap();
    assert_eq!(
        written,
        r#"[{"text":"a","stable":true},{"text":"b","stable":false,"repeated":true},{"text":"c","stable":false}]"#
    );
}
