use super::*;

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
