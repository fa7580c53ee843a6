use proptest::prelude::*;

use super::*;

const SYNTAX: Syntax = Syntax::USUAL;

/// The rows, or the fault.
fn rows(text: &str, syntax: Syntax) -> Result<Vec<Vec<String>>, Fault> {
    let (mut splitter, mut row, mut found) = (Splitter::new(text, 0, syntax), Row::default(), Vec::new());
    while splitter.next(&mut row)? {
        found.push(row.cells(text, syntax).map(Cow::into_owned).collect());
    }
    Ok(found)
}

fn check(text: &str) -> String {
    format!("{:?}", rows(text, SYNTAX))
}

#[test]
fn cells_and_line_ends() {
    insta::assert_snapshot!(check("a,b\r\n1,\"x, \"\"y\"\"\"\r\r\n3,\n\n,4"), @r#"Ok([["a", "b"], ["1", "x, \"y\""], ["3", ""], ["", "4"]])"#);
    insta::assert_snapshot!(check("a\r1\r2"), @r#"Ok([["a"], ["1"], ["2"]])"#);
    insta::assert_snapshot!(check("a,\"b\nc\"  \n1,\"\""), @r#"Ok([["a", "b\nc"], ["1", ""]])"#);
    insta::assert_snapshot!(check(" \"a\",5\" wide,"), @r#"Ok([[" \"a\"", "5\" wide", ""]])"#);
    insta::assert_snapshot!(check(""), @"Ok([])");
}

#[test]
fn quotes_that_are_wrong_say_where() {
    insta::assert_snapshot!(check("a,\"b"), @"Err(Unclosed(2))");
    insta::assert_snapshot!(check("a,\"b\"\""), @"Err(Unclosed(2))");
    insta::assert_snapshot!(check("a,\"b\"c,d"), @"Err(Stray(5))");
}

#[test]
fn other_ways_of_writing() {
    let check = |text: &str, syntax: Syntax| format!("{:?}", rows(text, syntax));
    insta::assert_snapshot!(check("'a;b';c", Syntax { quote: b'\'', separator: b';', ..SYNTAX }), @r#"Ok([["a;b", "c"]])"#);
    insta::assert_snapshot!(check(r#""say \"hi\" \\",b"#, Syntax { has_escapes: true, ..SYNTAX }), @r#"Ok([["say \"hi\" \\", "b"]])"#);
    insta::assert_snapshot!(check("a, \"b, c\",  d \n", Syntax { has_spaces: true, ..SYNTAX }), @r#"Ok([["a", "b, c", "d "]])"#);
    insta::assert_snapshot!(check("#x\n1\n#y, z\n2#\n", Syntax { comment: Some(b'#'), ..SYNTAX }), @r##"Ok([["1"], ["2#"]])"##);
    insta::assert_snapshot!(check("\"a\",b\n", Syntax { quote: 0, ..SYNTAX }), @r#"Ok([["\"a\"", "b"]])"#);
}

proptest! {
    /// What is well written is read like another reader does.
    #[test]
    fn rows_are_those_of_another_reader(
        cells in prop::collection::vec(prop::collection::vec("[a-zé ]{0,5}|\"[a-z,\n\r]{0,3}(\"\"){0,2}[é,]{0,2}\"", 1..4), 0..8),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let text: String = cells.iter().map(|row| row.join(",") + end).collect();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let expected: Vec<Vec<String>> = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        prop_assert_eq!(rows(&text, SYNTAX), Ok(expected), "{:?}", text);
    }

    /// Whatever the text is, every byte is in a row or between rows, and reading ends.
    #[test]
    fn any_text_ends(text in "[a,\"\n\r#\\\\ é]{0,40}", has_escapes: bool, has_spaces: bool) {
        let syntax = Syntax { has_escapes, has_spaces, comment: Some(b'#'), ..SYNTAX };
        let (mut splitter, mut row, mut last) = (Splitter::new(&text, 0, syntax), Row::default(), 0);
        while let Ok(true) = splitter.next(&mut row) {
            prop_assert!(splitter.at() > last && row.len() > 0);
            last = splitter.at();
        }
    }
}
