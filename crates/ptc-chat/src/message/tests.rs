use proptest::prelude::*;

use crate::{Message, Part, Role, ToolUse};

fn any_part() -> impl Strategy<Value = Part> {
    ("[a-zä€ ]{0,8}", any::<bool>()).prop_map(|(text, stable)| Part { text, stable })
}

proptest! {
    #[test]
    fn stable_bytes_end_where_the_first_changing_part_starts(parts in prop::collection::vec(any_part(), 0..6)) {
        let message = Message::new(Role::User, parts.clone());
        let content = message.content().into_owned();
        let (head, tail) = content.split_at(message.stable_bytes());
        let changing = parts.iter().position(|part| !part.stable).unwrap_or(parts.len());
        let joined = |parts: &[Part]| parts.iter().map(|part| part.text.as_str()).collect::<String>();
        prop_assert_eq!(head, joined(&parts[..changing]));
        prop_assert_eq!(tail, joined(&parts[changing..]));
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
