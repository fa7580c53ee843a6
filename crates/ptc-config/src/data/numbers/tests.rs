use super::*;

/// The notations of a cell with the value in each, each value once.
fn check(cell: &str) -> String {
    match number(cell) {
        Ok(Number::Int(value)) => format!("{value}"),
        Ok(Number::Written(written)) => {
            let mut values: Vec<String> = Vec::new();
            for notation in written.notations.iter() {
                let value = notation.float(cell).map_or("nothing".to_owned(), |value| value.to_string());
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            let sign = written.currency.map_or(String::new(), |sign| format!(" {sign}"));
            format!("{}{sign}{}", values.join(" or "), if written.is_percent { " %" } else { "" })
        }
        Err(reason) => reason.to_string(),
    }
}

#[test]
fn numbers_in_ordinary_notation() {
    for (cell, value) in [
        ("0", "0"),
        ("-3", "-3"),
        ("123456789012345", "123456789012345"),
        ("-0", "0"),
        ("12.50", "12.5"),
        ("-0.5", "-0.5"),
        ("1e-5", "0.00001"),
        ("1E5", "100000"),
        ("1e+05", "100000"),
        ("40300.619960000004", "40300.61996"),
        ("12345678901234567890.25", "12345678901234567000"),
    ] {
        assert_eq!(check(cell), value, "{cell}");
    }
}

#[test]
fn what_is_not_a_number_says_why() {
    for cell in [
        "1.", ".5", "1e", "e5", "-", "--1", "1e999", "inf", "1_000", "0x1F", "1.2.3", "٣", "12 34", "1,2,3", "$", "%",
        "5 %%",
    ] {
        assert_eq!(check(cell), "is not a number", "{cell}");
    }
    for cell in ["007", "-01", "00", "01.5", "0,123,456", "01,5"] {
        assert_eq!(check(cell), "has a leading zero", "{cell}");
    }
    assert_eq!(check("+49"), "begins with `+`");
    assert_eq!(check("1234567890123456"), "has more than 15 digits");
}

#[test]
fn numbers_as_people_write_them() {
    for (cell, values) in [
        ("2,50", "2.5"),
        ("0,125", "0.125"),
        ("1,234", "1234 or 1.234"),
        ("1.234", "1.234 or 1234"),
        ("1.234,5", "1234.5"),
        ("1,234.5", "1234.5"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("12'345.60", "12345.6"),
        ("1 234,50", "1234.5"),
        ("1\u{202f}234\u{a0}567", "1234567"),
        ("-1.203,25", "-1203.25"),
        ("$1,234.50", "1234.5 $"),
        ("-$ 5", "-5 $"),
        ("$-5", "-5 $"),
        ("12,50 €", "12.5 €"),
        ("12.5 %", "12.5 %"),
        ("7%", "7 %"),
    ] {
        assert_eq!(check(cell), values, "{cell}");
    }
}

#[test]
fn options_leave_some_notations() {
    let left = |decimal, thousands| {
        let left = Notations::given(decimal, thousands).iter();
        left.map(|it| format!("{}{}", it.thousands.map_or(String::new(), String::from), it.decimal))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(left(None, None), ". ,. '.  . , .,  , ',");
    assert_eq!(left(Some(','), None), ", .,  , ',");
    assert_eq!(left(None, Some(',')), ". ,.");
    assert_eq!(left(Some(','), Some('.')), ", .,");
    assert_eq!(left(None, Some(' ')), ".  . ,  ,");
}

/// What is known of a float without reading it again is what reading it gives.
#[test]
fn floats_are_the_nearest_ones() {
    let mut state = 1_u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = (state >> 20) % 10_u64.pow((state % 14 + 1) as u32);
        let text = format!("{digits:02}");
        let (whole, fraction) = text.split_at(1 + (state >> 40) as usize % (text.len() - 1));
        let cell = format!("-{}.{fraction}", whole.trim_start_matches('0').parse::<u64>().unwrap_or(0));
        if let Ok(Number::Written(Written { float: Some(float), .. })) = number(&cell) {
            assert_eq!(float.to_bits(), cell.parse::<f64>().unwrap().to_bits(), "{cell}");
        }
    }
}
