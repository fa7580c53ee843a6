use proptest::prelude::*;

use super::*;

/// The type of a column with these cells.
fn check(cells: &[&str]) -> ColumnType {
    column(cells).ty()
}

fn column(cells: &[&str]) -> Column {
    let mut column = Column::default();
    for (index, cell) in cells.iter().enumerate() {
        column.add(cell, index as u64 + 2);
    }
    column
}

#[test]
fn numbers_in_ordinary_notation() {
    for int in ["0", "-3", "42", "123456789012345", "-0"] {
        assert_eq!(check(&[int]), ColumnType::Int, "{int}");
    }
    for float in ["12.50", "-0.5", "1e-5", "1E5", "1e+05", "2.5e-05", "40300.619960000004", "12345678901234567890.25"] {
        assert_eq!(check(&[float]), ColumnType::Float, "{float}");
    }
    for text in [
        "007",
        "-01",
        "00",
        "01.5",
        "+49",
        "+1.5",
        "1234567890123456",
        "1.",
        ".5",
        "1e",
        "e5",
        "-",
        "--1",
        "1e999",
        "NaN",
        "inf",
        "1_000",
        "1,5",
        " 1",
        "1 ",
        "0x1F",
        "2024-03-01",
        "1.2.3",
        "٣",
    ] {
        assert_eq!(check(&[text]), ColumnType::Text, "{text}");
    }
}

#[test]
fn one_cell_decides_for_its_column() {
    assert_eq!(check(&["3", "", "-2"]), ColumnType::Int);
    assert_eq!(check(&["3", "", "7.25"]), ColumnType::Float);
    assert_eq!(check(&["3", "7.25", "n/a"]), ColumnType::Text);
    assert_eq!(check(&["true", "", "false"]), ColumnType::Bool);
    assert_eq!(check(&["true", "False"]), ColumnType::Text);
    assert_eq!(check(&["true", "1"]), ColumnType::Text);
    assert_eq!(check(&["", ""]), ColumnType::Text);
}

#[test]
fn markers_of_missing_values_among_numbers_are_nil() {
    assert_eq!(check(&["1", "NA", ""]), ColumnType::Int);
    assert_eq!(check(&["NaN", "1.5", "null"]), ColumnType::Float);
    assert_eq!(check(&["NA", "NA"]), ColumnType::Text);
    assert_eq!(check(&["NA", "true"]), ColumnType::Text);
    assert_eq!(check(&["1", "NA", "x"]), ColumnType::Text);
    assert_eq!(check(&["1", "na"]), ColumnType::Text);
    insta::assert_snapshot!(column(&["1", "NA", "2", "NULL"]).note("mass").unwrap(), @"the column `mass` is numbers; 2 of its cells say that the value is missing (`NA`, `N/A`, `NaN`, `null`, `NULL`) and are nil");
}

#[test]
fn a_column_with_decimal_commas_says_so() {
    insta::assert_snapshot!(column(&["2,50", "1.203,25", "", "7"]).note("price").unwrap(), @"the column `price` is text, since `2,50` in line 2 has a comma; numbers are written with a point, and with nothing between thousands");
    assert_eq!(column(&["2,50", "a", "b", "c"]).note("price"), None);
    assert_eq!(column(&["Oslo, Norway", "2,50", "3,5"]).note("place"), None);
}

#[test]
fn a_column_of_mostly_numbers_names_its_first_odd_cell() {
    let note = |cells: &[&str]| column(cells).note("price").unwrap_or_default();
    insta::assert_snapshot!(note(&["1", "n/a", "2.5", "", "?", "4"]), @"the column `price` is text, since `n/a` in line 3 is not a number; 3 of its 5 filled cells are numbers");
    insta::assert_snapshot!(note(&["01067", "10115", "80331"]), @"the column `price` is text, since `01067` in line 2 has a leading zero; 2 of its 3 filled cells are numbers");
    insta::assert_snapshot!(note(&["1", "2", "+49"]), @"the column `price` is text, since `+49` in line 4 begins with `+`; 2 of its 3 filled cells are numbers");
    insta::assert_snapshot!(note(&["1", "2", "1234567890123456"]), @"the column `price` is text, since `1234567890123456` in line 4 has more than 15 digits; 2 of its 3 filled cells are numbers");
    assert_eq!(note(&["1", "n/a"]), "");
    assert_eq!(note(&["1", "2"]), "");
    assert!(note(&["1", "2", &"x".repeat(100)]).contains(&format!("`{}...`", "x".repeat(40))));
}

proptest! {
    /// The order of the rows does not matter, nor do empty cells.
    #[test]
    fn the_type_is_of_the_set_of_cells(mut cells in prop::collection::vec("-?[0-9]{1,3}(\\.[0-9]{1,2})?|true|x|", 0..8), seed in any::<u64>()) {
        let of = |cells: &[String]| check(&cells.iter().map(String::as_str).collect::<Vec<_>>());
        let before = of(&cells);
        cells.sort_by_key(|cell| seed.wrapping_mul(cell.len() as u64 + 7));
        cells.push(String::new());
        prop_assert_eq!(before, of(&cells));
    }

    /// Whatever is taken for a number parses to a finite one, and an integer is the same with its digits alone.
    #[test]
    fn numbers_can_be_read(cell in "[-+0-9.eE]{1,24}") {
        match number(&cell) {
            Ok(ColumnType::Int) => prop_assert!(cell.parse::<i64>().is_ok()),
            Ok(ColumnType::Float) => prop_assert!(cell.parse::<f64>().is_ok_and(f64::is_finite)),
            Ok(other) => prop_assert!(false, "{other:?} is no type of numbers"),
            Err(_) => {}
        }
    }
}
