#[path = "../../tests/command/attacks/corpus.rs"]
mod corpus;

use super::*;

pub(crate) use corpus::{acts, attacks};

#[test]
fn a_terminal_gets_nothing_to_obey() {
    let mut shown = Vec::new();
    let text = "a\tb\r\n\u{1b}[2J\u{9b}2Jc\u{2028}é\n\"\\u001b\"\n\u{202e}d\u{200b}\u{e0041}\n";
    for_people(text.as_bytes(), &mut shown).unwrap();
    assert_eq!(String::from_utf8(shown).unwrap(), "a\tb\n[2J2Jcé\n\"\\u001b\"\n\\u202ed\\u200b\\udb40\\udc41\n");
}

#[test]
fn the_message_of_a_failure_adds_no_line() {
    assert_eq!(one_text("error[x]: a\nnote: b\r\u{1b}[2J"), "error[x]: a\n  note: b\\r\\u001b[2J");
}

#[test]
fn no_attack_reaches_a_terminal() {
    for attack in attacks() {
        let mut shown = Vec::new();
        for_people(attack.as_bytes(), &mut shown).unwrap();
        let value = |json: serde_json::Value| readable(&Value::from_json(json), 80);
        let texts = [
            String::from_utf8(shown).unwrap(),
            value(serde_json::json!(attack)),
            value(serde_json::json!({ &attack: attack, "b": [attack, { "c": attack }] })),
            value(serde_json::json!([{ &attack: attack, "b": 1 }, { &attack: attack }])),
            value(serde_json::json!([attack, "x".repeat(200)])),
            one_text(&attack),
            Line::default().with(Ink::Bad, attack.as_str()).painted(false),
        ];
        assert!(texts.iter().all(|text| !text.contains(acts)), "{attack:?}: {texts:?}");
        assert!(!Line::default().with(Ink::Bad, attack.as_str()).painted(true).contains('\n'), "{attack:?}");
    }
}
