use proptest::prelude::*;

use super::*;

/// The separator, the names, the line of the header, and what is not certain.
fn check(text: &str) -> String {
    match detect(text, &ReadOptions::default(), None) {
        Ok(dialect) => {
            let line = dialect.header.map_or(0, |at| Lines::of(text).number(at));
            let separator = char::from(dialect.syntax.separator);
            let names = dialect.names.join("|");
            format!("{separator:?} {line} {names} {}", dialect.notes.join("; ")).trim_end().to_owned()
        }
        Err(problem) => problem.told,
    }
}

#[test]
fn what_fits_header_and_rows_wins() {
    insta::assert_snapshot!(check("Preis, netto;Menge\n1;2\n2;3\n"), @"';' 1 Preis, netto|Menge");
    insta::assert_snapshot!(check("Preis, netto;Menge\n1,50;2\n2,50;3\n"), @r#"';' 1 Preis, netto|Menge commas would fit as well as `;`; say `separator = ","` if they separate the cells"#);
    insta::assert_snapshot!(check("Name, Vorname\tOrt\nMüller, Anna\tBerlin\n"), @r#"'\t' 1 Name, Vorname|Ort commas would fit as well as tabs; say `separator = ","` if they separate the cells"#);
    insta::assert_snapshot!(check("a,b;c\n1,2;3\n"), @r#"',' 1 a|b;c `;` would fit as well as commas; say `separator = ";"` if they separate the cells"#);
    insta::assert_snapshot!(check("a, b, \"c;d\"\n1, 2, \"3;4\"\n"), @"',' 1 a|b|c;d");
    insta::assert_snapshot!(check("a,b;c\n1,2\n"), @"',' 1 a|b;c");
    insta::assert_snapshot!(check("a;b,c\n"), @"',' 1 a;b|c");
    insta::assert_snapshot!(check("id|name\n1|a\n"), @"'|' 1 id|name");
}

#[test]
fn where_none_fits_the_header_decides() {
    insta::assert_snapshot!(check("a;b\n1;2;3\n"), @"';' 1 a|b");
    insta::assert_snapshot!(check("a\tb;c\n1\n"), @"';' 1 a\tb|c");
    insta::assert_snapshot!(check("a\n1;2\n"), @"',' 1 a");
    insta::assert_snapshot!(check("text\nHello, world\nfoo, bar\n"), @"',' 1 text");
    insta::assert_snapshot!(check(""), @"',' 0");
}

#[test]
fn titles_above_the_header_are_left_out() {
    insta::assert_snapshot!(check("Report 2024\n\nid;name\n1;a\n"), @"';' 3 id|name");
    insta::assert_snapshot!(check("Report, 2024\n\nid,name\n1,a\n"), @"',' 3 id|name");
    insta::assert_snapshot!(check("Report;;\nQ1;;\nid;name;x\n1;a;\n"), @"';' 3 id|name|x");
    insta::assert_snapshot!(check("# by tool, on a day\nid,name\n1,a\n"), @"',' 2 id|name");
    insta::assert_snapshot!(check("#id,name\n1,a\n2,b\n"), @"',' 1 #id|name");
    insta::assert_snapshot!(check("Report\nid,name\n1,a\n2\n3,c\n4,d\n"), @"',' 2 id|name");
    insta::assert_snapshot!(check("sep=;\r\na;b\r\n1;2\r\n"), @"';' 2 a|b");
    insta::assert_snapshot!(check("name;\n;\nAda;1\n"), @"';' 1 name|column_2 the header does not name every column; the others are `column_2`");
}

#[test]
fn separators_that_separate_nothing() {
    insta::assert_snapshot!(check("a,b\n1,2,\n3,4,\n"), @"',' 1 a|b");
    insta::assert_snapshot!(check("a,b,\n1,2,\n3,4,\n"), @"',' 1 a|b");
    insta::assert_snapshot!(check("a,b,\n1,2,\n3,4,5\n"), @"',' 1 a|b|column_3 the header does not name every column; the others are `column_3`");
}

#[test]
fn quotes_and_spaces() {
    let syntax = |text: &str| {
        let syntax = detect(text, &ReadOptions::default(), None).unwrap().syntax;
        format!("{} {} {}", char::from(syntax.quote), syntax.has_escapes, syntax.has_spaces)
    };
    assert_eq!(syntax("a,b\n1,2\n"), "\" false false");
    assert_eq!(syntax("a, b\n1, x\n"), "\" false true");
    assert_eq!(syntax("a,b\n1, x\n2,y\n"), "\" false false");
    assert_eq!(syntax("a,b\n1, \"x, y\"\n"), "\" false true");
    assert_eq!(syntax("a,b\n'x, y',2\n"), "' false false");
    assert_eq!(syntax("a,b\n'tis,2\n"), "\" false false");
    assert_eq!(syntax("a,b\n\"say \\\"hi\\\"\",2\n"), "\" true false");
}

proptest! {
    /// A table is read by the separator that it was written with, whatever its quotes contain and however decimals are
    /// written.
    #[test]
    fn a_table_is_read_as_it_was_written(
        byte in prop::sample::select(&choice::SEPARATORS[..]),
        header in prop::collection::vec("[a-z]{1,4}|\"[a-z;,\t\n]{1,4}\"", 2..5),
        rows in prop::collection::vec(prop::collection::vec(r#"[a-z0-9]{0,4}|"[a-z;,\t\n]{0,4}(""){0,1}"|[0-9] wide"#, 4), 0..30),
        decimal in any::<bool>(),
    ) {
        let separator = char::from(byte).to_string();
        let line = |cells: &[String]| cells.join(&separator);
        let mut text = line(&header);
        for mut row in rows {
            row.truncate(header.len());
            if decimal && byte != b',' {
                row[0] = "1,50".to_owned();
            }
            row.resize(header.len(), String::new());
            text.extend(["\n", &line(&row)]);
        }
        let syntax = Sample::of(&text, 0, Choice::of(&text, 0, None, &ReadOptions::default()).syntax).syntax;
        prop_assert_eq!(syntax.separator, byte, "{}", text);
    }
}
