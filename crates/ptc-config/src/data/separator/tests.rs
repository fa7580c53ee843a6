use proptest::prelude::*;

use super::*;

/// The byte and the note.
fn check(text: &str) -> String {
    let separator = of(text);
    format!("{:?} {}", char::from(separator.byte), separator.note().unwrap_or_default())
}

#[test]
fn what_fits_header_and_rows_wins() {
    insta::assert_snapshot!(check("Preis, netto;Menge\n1;2\n2;3\n"), @"';' the cells are separated by `;`, since header and rows have the same number of them, which they do not with commas");
    insta::assert_snapshot!(check("Preis, netto;Menge\n1,50;2\n2,50;3\n"), @"';' the cells are separated by `;`; commas would fit, too, but all are in numbers or before spaces. Quote cells that hold `;` if that is wrong");
    insta::assert_snapshot!(check("Preis, netto;Preis, brutto\n1,50;2,25\n"), @"';' the cells are separated by `;`; commas would fit, too, but all are in numbers or before spaces. Quote cells that hold `;` if that is wrong");
    insta::assert_snapshot!(check("Name, Vorname\tOrt\nMüller, Anna\tBerlin\n"), @r"'\t' the cells are separated by tabs; commas would fit, too, but all are in numbers or before spaces. Quote cells that hold tabs if that is wrong");
    insta::assert_snapshot!(check("a,b;c\n1,2;3\n"), @"',' the cells are separated by commas; `;` would fit, too. Quote cells that hold commas if that is wrong");
    insta::assert_snapshot!(check("a, b, \"c;d\"\n1, 2, \"3;4\"\n"), @"','");
    insta::assert_snapshot!(check("a,b;c\n1,2\n"), @"','");
    insta::assert_snapshot!(check("a;b,c\n"), @"','");
}

#[test]
fn where_none_fits_the_header_decides() {
    insta::assert_snapshot!(check("a;b\n1;2;3\n"), @"';' the cells are separated by `;`, since its header has no comma");
    insta::assert_snapshot!(check("a\tb;c\n1\n"), @"';' the cells are separated by `;`, since its header has no comma");
    insta::assert_snapshot!(check("a\n1;2\n"), @"','");
    insta::assert_snapshot!(check(""), @"','");
}

proptest! {
    /// A table is read by the separator that it was written with, whatever its quotes contain and however decimals are
    /// written.
    #[test]
    fn a_table_is_read_as_it_was_written(
        byte in prop::sample::select(&SEPARATORS[..]),
        header in prop::collection::vec("[a-z]{1,4}|\"[a-z;,\t\n]{0,4}\"", 2..5),
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
        prop_assert_eq!(of(&text).byte, byte, "{}", text);
    }
}
