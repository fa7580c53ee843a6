use super::*;

/// The type of a column with these cells.
fn check(cells: &[&str]) -> String {
    let column = column(cells, &ReadOptions::default());
    match column.ty(false) {
        ColumnType::Int(_) => "integers".to_owned(),
        ColumnType::Float(Notation { decimal: '.', thousands: None }) => "floats".to_owned(),
        ColumnType::Float(notation) => format!("floats with {notation:?}"),
        other => other.kind().to_owned(),
    }
}

fn column(cells: &[&str], options: &ReadOptions) -> Column {
    let mut column = Column::new("price", options);
    for (index, cell) in cells.iter().enumerate() {
        column.count(column.sort(cell), cell, At { file: 0, place: index + 2 });
    }
    column
}

/// The notes about a column.
fn notes(cells: &[&str]) -> String {
    let column = column(cells, &ReadOptions::default());
    column.notes(&column.ty(false), false, &|at| format!("line {}", at.place)).join("\n")
}

#[test]
fn one_cell_decides_for_its_column() {
    assert_eq!(check(&["3", "", "-2"]), "integers");
    assert_eq!(check(&["3", " ", "7.25"]), "floats");
    assert_eq!(check(&["3", " 7.25 "]), "floats", "spaces do not matter");
    assert_eq!(check(&["3", "7.25", "n/a"]), "text");
    assert_eq!(check(&["true", "", "False", "TRUE"]), "booleans");
    assert_eq!(check(&["true", "fALSE"]), "text");
    assert_eq!(check(&["true", "1"]), "text");
    assert_eq!(check(&["", ""]), "text");
    for text in ["007", "+49", "1234567890123456", "1.", ".5", "1e999", "2024-03-01", "1.2.2024", "NaN"] {
        assert_eq!(check(&[text]), "text", "{text}");
    }
}

#[test]
fn markers_of_missing_values_among_numbers_are_nil() {
    assert_eq!(check(&["1", "NA", ""]), "integers");
    assert_eq!(check(&["NaN", "1.5", "null"]), "floats");
    assert_eq!(check(&["NA", "NA"]), "text");
    assert_eq!(check(&["NA", "true"]), "text");
    assert_eq!(check(&["1", "NA", "x"]), "text");
    assert_eq!(check(&["1", "na"]), "text");
    insta::assert_snapshot!(notes(&["1", "NA", "2", "NULL"]), @"the column `price` is integers; 2 of its cells say that the value is missing (`NA`, `N/A`, `NaN`, `null`, `NULL`) and are nil");
    insta::assert_snapshot!(notes(&["Oslo", "NA"]), @r#"`NA` is text in the column `price`; `null = ["NA"]` reads it as missing"#);
}

#[test]
fn numbers_in_other_notations() {
    assert_eq!(check(&["2,50", "1.203,25", "", "7"]), "floats with Notation { decimal: ',', thousands: Some('.') }");
    assert_eq!(check(&["2,50", "1,234"]), "floats with Notation { decimal: ',', thousands: None }");
    assert_eq!(check(&["1,234.50", "7"]), "floats with Notation { decimal: '.', thousands: Some(',') }");
    assert_eq!(check(&["1'234", "1'234'567"]), "integers");
    assert_eq!(check(&["1 234,50", "1\u{a0}000,00"]), "floats with Notation { decimal: ',', thousands: Some(' ') }");
    assert_eq!(notes(&["2,50", "1.203,25"]), "");
}

#[test]
fn what_is_not_certain_stays_text_and_names_the_option() {
    insta::assert_snapshot!(notes(&["1,234", "7"]), @r#"the column `price` is text, since `1,234` in line 2 has two meanings; say `decimal = ","` or `thousands = ","`"#);
    insta::assert_snapshot!(notes(&["1 234", "7"]), @r#"the column `price` is text, since `1 234` in line 2 may be a code; say `thousands = " "` if it is a number"#);
    insta::assert_snapshot!(notes(&["192.168.100.200", "10.100.100.1"]), @"");
    insta::assert_snapshot!(notes(&["192.168.100", "7"]), @r#"the column `price` is text, since `192.168.100` in line 2 may be a code; say `thousands = "."` if it is a number"#);
    insta::assert_snapshot!(notes(&["101,102,103", "7"]), @r#"the column `price` is text, since `101,102,103` in line 2 may be a code; say `thousands = ","` if it is a number"#);
    insta::assert_snapshot!(notes(&["2.50", "2,50"]), @"the column `price` is text, since its numbers are written in several ways, such as `2,50` in line 3");
    insta::assert_snapshot!(notes(&["12 %", "7%"]), @r#"the column `price` is text, since `12 %` in line 2 is a percentage; `types = { price = "percent" }` reads it as a fraction: 0.12 for 12 %"#);
    insta::assert_snapshot!(notes(&["$5", "€7"]), @r#"the column `price` is text, since not all of its cells are amounts in one currency, such as `$5` in line 2; `types = { price = "float" }` leaves the signs out"#);
    insta::assert_snapshot!(notes(&["$5", "$1,200.50"]), @r#"the column `price` is numbers; `$` is left out; `types = { price = "text" }` keeps it"#);
    insta::assert_snapshot!(notes(&["yes", "No", ""]), @r#"the column `price` is text: `yes`, `No`; `types = { price = "bool" }` reads it as true and false"#);
    let column = column(&["1.234", "5.000"], &ReadOptions::default());
    assert_eq!(column.ty(true), ColumnType::Text);
    insta::assert_snapshot!(column.notes(&ColumnType::Text, true, &|_| String::new()).join(""), @r#"the column `price` is text, since its points may be between thousands, as in other files with decimal commas or `;` between cells; say `decimal = ","` or `decimal = "."`"#);
}

#[test]
fn a_column_of_mostly_numbers_names_its_odd_cells() {
    insta::assert_snapshot!(notes(&["1", "n/a", "2.5", "", "?", "4"]), @r#"the column `price` is text, since `n/a` in line 3 is not a number, `?` in line 6 is not a number; 3 of its 5 filled cells are numbers; `null = ["?", "n/a"]` reads the others as missing"#);
    insta::assert_snapshot!(notes(&["01067", "10115", "80331"]), @"the column `price` is text, since `01067` in line 2 has a leading zero; 2 of its 3 filled cells are numbers");
    insta::assert_snapshot!(notes(&["1", "2", "+49"]), @"the column `price` is text, since `+49` in line 4 begins with `+`; 2 of its 3 filled cells are numbers");
    insta::assert_snapshot!(notes(&["1", "2", "1234567890123456"]), @"the column `price` is text, since `1234567890123456` in line 4 has more than 15 digits; 2 of its 3 filled cells are numbers");
    insta::assert_snapshot!(notes(&["1", "2", "price", "4"]), @r#"the column `price` is text, since `price` in line 4 is not a number; 3 of its 4 filled cells are numbers; `types = { price = "int" }` with `on_error = "skip"` leaves out the header that is there again"#);
    insta::assert_snapshot!(notes(&["1.5", "2", "see below"]), @r#"the column `price` is text, since `see below` in line 4 is not a number; 2 of its 3 filled cells are numbers; `types = { price = "float" }` with `on_error = "skip"` leaves out the other rows"#);
    assert_eq!(notes(&["1", "n/a"]), "");
    assert!(notes(&["1", "2", &"x".repeat(100)]).contains(&format!("`{}...`", "x".repeat(40))));
}

/// The value of a cell in a column that must have this type.
fn given(ty: &str, cell: &str) -> String {
    let mut options = ReadOptions::default();
    options.set("types", &serde_json::json!({"price": ty})).unwrap();
    let column = column(&[cell], &options);
    match column.value(&column.ty(false), column.sort(cell), cell, &mut Import::uncounted()) {
        Ok(value) => value.unwrap().to_string(),
        Err(what) => format!("not {what}"),
    }
}

#[test]
fn given_types_convert_each_cell() {
    for (ty, cell, value) in [
        ("text", "007", "\"007\""),
        ("int", "007", "7"),
        ("int", "+49", "49"),
        ("int", "1234567890123456", "1234567890123456"),
        ("int", "1.5", "not an integer"),
        ("float", " 7", "7.0"),
        ("float", "$2.50", "2.5"),
        ("float", "1,234", "not a number; `decimal` and `thousands` say how numbers are written"),
        ("percent", "12,5 %", "0.125"),
        ("bool", "Yes", "true"),
        ("bool", "0", "false"),
        ("bool", "maybe", "not a truth value, such as `true` or `no`"),
        ("date", "2024-03-01", "#date \"2024-03-01\""),
        ("date %d.%m.%Y", "1.3.2024", "#date \"2024-03-01\""),
        ("datetime", "2024-03-01 12:30", "#local-datetime \"2024-03-01T12:30\""),
        ("datetime", "2024-03-01T12:30:00Z", "#inst \"2024-03-01T12:30:00Z\""),
    ] {
        assert_eq!(given(ty, cell), value, "{ty} {cell}");
    }
    insta::assert_snapshot!(given("date", "1.3.2024"), @"not a date such as 2024-03-01; for others give their format, such as `date %d.%m.%Y`");
}
