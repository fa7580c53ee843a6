//! Dates and times.

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

proptest! {
    #[test]
    fn days_forth_and_back(day in -700_000_i64..700_000, way in -10_000_i64..10_000) {
        let epoch = call("LocalDate/of", &[Value::Int(1970), Value::Int(1), Value::Int(1)]).unwrap();
        let date = call(".plusDays", &[epoch, Value::Int(day)]).unwrap();
        prop_assert!(matches!(call(".toEpochDay", std::slice::from_ref(&date)), Ok(Value::Int(back)) if back == day));
        let there = call(".plusDays", &[date.clone(), Value::Int(way)]).unwrap();
        let back = call(".minusDays", &[there.clone(), Value::Int(way)]).unwrap();
        prop_assert!(matches!(call("=", &[date.clone(), back]), Ok(Value::Bool(true))));
        prop_assert!(matches!(call("Duration/between", &[date, there]), Ok(Value::Int(ms)) if ms == way * 86_400_000));
    }

    #[test]
    fn a_date_survives_its_text(year in 0_i64..9_999, month in 1_i64..13, day in 1_i64..29) {
        let date = call("LocalDate/of", &[Value::Int(year), Value::Int(month), Value::Int(day)]).unwrap();
        let text = call("str", std::slice::from_ref(&date)).unwrap();
        let back = call("LocalDate/parse", &[text]).unwrap();
        prop_assert!(matches!(call("=", &[date, back]), Ok(Value::Bool(true))));
    }

    #[test]
    fn any_text_and_number_ends_in_a_value_or_an_error(text in "[0-9TZ:+ .-]{0,26}|.{0,10}", n in any::<i64>()) {
        for name in ["java.util.Date.", "LocalDate/parse", "Instant/parse"] {
            let _ = call(name, &[Value::from(text.as_str())]);
        }
        if let Ok(instant) = call("java.util.Date.", &[Value::Int(n)]) {
            let _ = call(".plusDays", &[instant, Value::Int(n)]);
        }
    }
}

#[test]
fn instants() {
    assert_snapshot!(check(r#"[(java.util.Date.) (java.util.Date. 86400) (java.util.Date. 1700000000000) (java.util.Date. -5)]"#), @r#"["2024-03-09T10:00:00.5Z" "1970-01-02T00:00:00Z" "2023-11-14T22:13:20Z" "1969-12-31T23:59:55Z"]"#);
    assert_snapshot!(check(r#"(map (fn [s] (java.util.Date. s)) ["2024-03-09T12:00:00+02:00" "2024-03-09" "Tue, 5 Mar 2024 07:15:00 +0200" "5 Mar 2024 07:15:00"])"#), @r#"["2024-03-09T10:00:00Z" "2024-03-09T00:00:00Z" "2024-03-05T05:15:00Z" "2024-03-05T07:15:00Z"]"#);
    assert_snapshot!(check(r#"(java.util.Date. "soon")"#), @"! argument_error java.util.Date.: not a date-time: 'soon'; write 2024-03-09T10:30:00Z, with an offset or Z");
    assert_snapshot!(check("(java.util.Date. 9223372036854775807)"), @"! argument_error java.util.Date.: the result is outside the years -9999 to 9999");
    assert_snapshot!(check("(.getTime nil)"), @"! type_error .getTime: expected an instant, got nil");
    assert_snapshot!(check(r#"[(System/currentTimeMillis) (LocalDate/now) (inst-ms (Instant/now)) (inst? (Instant/now))]"#), @r#"[1709978400500 "2024-03-09" 1709978400500 true]"#);
    assert_snapshot!(check(r#"(.toDays (Duration/between (Instant/parse "2024-01-01T00:00:00Z") (Instant/parse "2024-03-01T12:00:00Z")))"#), @"60");
}

#[test]
fn dates() {
    assert_snapshot!(check(r#"(LocalDate/parse "2024-02-30")"#), @"! argument_error LocalDate/parse: not a YYYY-MM-DD date: '2024-02-30'");
    assert_snapshot!(check(r#"(LocalDate/parse "2024-02-29T10:00:00")"#), @"! argument_error LocalDate/parse: not a YYYY-MM-DD date: '2024-02-29T10:00:00'");
    assert_snapshot!(check("(LocalDate/parse nil)"), @"! type_error LocalDate/parse: expected a string, got nil");
    assert_snapshot!(check(r#"(let [d (java.time.LocalDate/parse "2024-02-28")] [(.plusDays d 2) (.minusDays d 59) (.getYear d) (.getMonthValue d) (.getDayOfMonth d)])"#), @r#"["2024-03-01" "2023-12-31" 2024 2 28]"#);
    assert_snapshot!(check(r#"(.plusDays (LocalDate/parse "2024-02-28") 9223372036854775807)"#), @"! argument_error .plusDays: the result is outside the years -9999 to 9999");
    assert_snapshot!(check(r#"(sort [(LocalDate/parse "2024-02-01") (LocalDate/parse "2023-12-31")])"#), @r#"["2023-12-31" "2024-02-01"]"#);
    assert_snapshot!(check(r#"(.isBefore (LocalDate/parse "2024-02-01") (java.util.Date. 0))"#), @"! type_error .isBefore: expected two dates, got datetime");
}
