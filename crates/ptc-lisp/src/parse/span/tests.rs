use super::{Span, line_text, position};

fn check(source: &str, offset: u32) -> String {
    let here = position(source, offset);
    format!("{}:{} {}", here.line, here.column, line_text(source, here.line))
}

#[test]
fn each_kind_of_line_ending_ends_one_line() {
    let source = "a\nb\r\nc\rd";
    assert_eq!(check(source, 0), "1:1 a");
    assert_eq!(check(source, 2), "2:1 b");
    assert_eq!(check(source, 4), "2:3 b", "between carriage return and line feed the line goes on");
    assert_eq!(check(source, 5), "3:1 c");
    assert_eq!(check(source, 7), "4:1 d");
}

#[test]
fn columns_count_characters() {
    assert_eq!(check("žluť x", 7), "1:6 žluť x");
    assert_eq!(check("žluť x", 1), "1:1 žluť x", "an offset inside a character");
}

#[test]
fn offsets_behind_the_end_stay_behind_the_last_character() {
    assert_eq!(check("ab", 2), "1:3 ab");
    assert_eq!(check("ab", 99), "1:3 ab");
    assert_eq!(check("ab\n", 99), "2:1 ");
    assert_eq!(check("", 0), "1:1 ");
    assert_eq!(line_text("ab", 2), "");
}

#[test]
fn spans_join() {
    let joined = Span { start: 1, end: 3 }.to(Span { start: 5, end: 9 });
    assert_eq!(joined, Span { start: 1, end: 9 });
}
