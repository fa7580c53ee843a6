use rmcp::model::{JsonRpcMessage, NumberOrString, ServerJsonRpcMessage};

use super::{Outline, UNREADABLE, message};

/// The id and the words of the error that this text becomes.
fn error(text: &str) -> Option<(NumberOrString, String)> {
    match message(text.as_bytes())? {
        JsonRpcMessage::Error(error) if error.error.code == UNREADABLE => {
            Some((error.id?, error.error.message.into_owned()))
        }
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn an_answer_that_is_not_json_is_an_error_for_its_request() {
    for text in [
        r#"{"jsonrpc":"2.0","id":7,"result":{"a":NaN}}"#,
        r#"{"result":{"id":1,"error":[{"id":2}, Infinity]},"jsonrpc":"2.0", "id" : 7}"#,
        r#"{"a":"\"id\":9,{","id":7,"result":{"text":"\\","b":1e999}}"#,
        r#"{"id":7,"error":'single'}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"text":"\q"}}"#,
    ] {
        let (id, why) = error(text).unwrap();
        assert_eq!(id, NumberOrString::Number(7), "{text}");
        assert!(why.starts_with("its answer cannot be read: "), "{why}");
    }
    let named = error(r#"{"id":"a-1","result":undefined}"#).unwrap();
    assert_eq!(named.0, NumberOrString::String("a-1".into()));
}

#[test]
fn what_answers_nothing_is_left_out() {
    for text in
        ["", "listening on 80", "{", r#"{"id":7,"level":NaN}"#, r#"{"id":7,"method":"ping","params":NaN}"#, "[NaN]"]
    {
        assert!(message(text.as_bytes()).is_none(), "{text}");
    }
}

#[test]
fn half_a_pair_and_bad_bytes_are_replaced() {
    let text = |text: &[u8]| match message(text) {
        Some(message @ ServerJsonRpcMessage::Response(_)) => {
            serde_json::to_value(message).unwrap().pointer("/result/text").unwrap().clone()
        }
        other => unreachable!("{other:?}"),
    };
    let quoted = |inner: &[u8]| [br#"{"jsonrpc":"2.0","id":1,"result":{"text":""#, inner, br#""}}"#].concat();
    for (inner, read) in [
        (&br"\ud83c"[..], "\u{fffd}"),
        (br"a\udf89b", "a\u{fffd}b"),
        (br"\ud83c\ud83c\udf89", "\u{fffd}🎉"),
        (br"\ud83c\u0041", "\u{fffd}A"),
        (br"\\ud83c\ud83c", "\\ud83c\u{fffd}"),
        (br"\ud83c\udf89", "🎉"),
        (b"a\xFFb", "a\u{fffd}b"),
    ] {
        assert_eq!(text(&quoted(inner)), read);
    }
}

#[test]
fn an_answer_is_known_wherever_it_is_cut() {
    let text = r#"{"result":{"a":"\"}","b":[{}]},"jsonrpc":"2.0","id":7}"#;
    for at in 0..text.len() {
        let mut outline = Outline::default();
        let (first, second) = text.as_bytes().split_at(at);
        outline.take(first);
        outline.take(second);
        assert!(outline.refused("it is long").is_some(), "cut at {at}");
    }
}
