//! Dates and times.

mod texts;

use insta::assert_snapshot;
use proptest::prelude::*;

use crate::stdlib::show::tests::{call, check};
use crate::value::Value;

fn unit(name: &str) -> Value {
    crate::value::time_from_tag("unit", name).unwrap()
}

proptest! {
    #[test]
    fn days_forth_and_back(day in -700_000_i64..700_000, way in -10_000_i64..10_000) {
        let epoch = call("LocalDate/of", &[Value::Int(1970), Value::Int(1), Value::Int(1)]).unwrap();
        let date = call(".plusDays", &[epoch, Value::Int(day)]).unwrap();
        prop_assert!(matches!(call(".toEpochDay", std::slice::from_ref(&date)), Ok(Value::Int(back)) if back == day));
        let there = call(".plusDays", &[date.clone(), Value::Int(way)]).unwrap();
        let back = call(".minusDays", &[there.clone(), Value::Int(way)]).unwrap();
        prop_assert!(matches!(call("=", &[date.clone(), back]), Ok(Value::Bool(true))));
        let duration = call("Duration/between", &[date.clone(), there.clone()]).unwrap();
        prop_assert!(matches!(call(".toMillis", &[duration]), Ok(Value::Int(ms)) if ms == way * 86_400_000));
        prop_assert!(matches!(call(".until", &[date, there, unit("DAYS")]), Ok(Value::Int(days)) if days == way));
    }

    #[test]
    fn a_period_leads_from_date_to_date(from in -100_000_i64..100_000, way in 0_i64..40_000) {
        let [from, to] = [from, from + way].map(|day| call("LocalDate/ofEpochDay", &[Value::Int(day)]).unwrap());
        let period = call("Period/between", &[from.clone(), to.clone()]).unwrap();
        let there = call(".plus", &[from.clone(), period.clone()]).unwrap();
        prop_assert!(matches!(call("=", &[there, to.clone()]), Ok(Value::Bool(true))));
        let months = call(".until", &[from, to, unit("MONTHS")]).unwrap();
        prop_assert!(matches!(call("=", &[months, call(".toTotalMonths", &[period]).unwrap()]), Ok(Value::Bool(true))));
    }

    #[test]
    fn a_point_in_time_is_the_same_in_every_zone(seconds in -10_000_000_000_i64..10_000_000_000, zone in 0_usize..4) {
        let instant = call("Instant/ofEpochSecond", &[Value::Int(seconds)]).unwrap();
        let zone = call("ZoneId/of", &[Value::from(["Europe/Berlin", "America/New_York", "UTC", "+05:30"][zone])]).unwrap();
        let there = call(".atZone", &[instant.clone(), zone.clone()]).unwrap();
        let back = call(".toInstant", std::slice::from_ref(&there)).unwrap();
        prop_assert!(matches!(call("=", &[instant, back]), Ok(Value::Bool(true))));
        let hours = call(".plusHours", &[there.clone(), Value::Int(30)]).unwrap();
        prop_assert!(matches!(call(".until", &[there, hours, unit("HOURS")]), Ok(Value::Int(30))));
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
    assert_snapshot!(check(r#"[(java.util.Date.) (java.util.Date. 86400) (java.util.Date. 1700000000000) (java.util.Date. -5)]"#), @r#"[#inst "2024-03-09T10:00:00.5Z" #inst "1970-01-02T00:00:00Z" #inst "2023-11-14T22:13:20Z" #inst "1969-12-31T23:59:55Z"]"#);
    assert_snapshot!(check(r#"(map (fn [s] (java.util.Date. s)) ["2024-03-09T12:00:00+02:00" "2024-03-09" "Tue, 5 Mar 2024 07:15:00 +0200" "5 Mar 2024 07:15:00"])"#), @r#"[#inst "2024-03-09T10:00:00Z" #inst "2024-03-09T00:00:00Z" #inst "2024-03-05T05:15:00Z" #inst "2024-03-05T07:15:00Z"]"#);
    assert_snapshot!(check(r#"(java.util.Date. "soon")"#), @"! argument_error java.util.Date.: not a date-time: 'soon'; write 2024-03-09T10:30:00Z, with an offset or Z");
    assert_snapshot!(check("(java.util.Date. 9223372036854775807)"), @"! argument_error java.util.Date.: the result is outside the years -9999 to 9999");
    assert_snapshot!(check("(.getTime nil)"), @"! type_error .getTime: expected an instant, got nil");
    assert_snapshot!(check(r#"[(System/currentTimeMillis) (LocalDate/now) (inst-ms (Instant/now)) (inst? (Instant/now))]"#), @r#"[1709978400500 #date "2024-03-09" 1709978400500 true]"#);
    assert_snapshot!(check(r#"(.toDays (Duration/between (Instant/parse "2024-01-01T00:00:00Z") (Instant/parse "2024-03-01T12:00:00Z")))"#), @"60");
}

#[test]
fn dates() {
    assert_snapshot!(check(r#"(LocalDate/parse "2024-02-30")"#), @"! argument_error LocalDate/parse: not a YYYY-MM-DD date: '2024-02-30'");
    assert_snapshot!(check(r#"(LocalDate/parse "2024-02-29T10:00:00")"#), @"! argument_error LocalDate/parse: not a YYYY-MM-DD date: '2024-02-29T10:00:00'");
    assert_snapshot!(check("(LocalDate/parse nil)"), @"! type_error LocalDate/parse: expected a string, got nil");
    assert_snapshot!(check(r#"(let [d (java.time.LocalDate/parse "2024-02-28")] [(.plusDays d 2) (.minusDays d 59) (.getYear d) (.getMonthValue d) (.getDayOfMonth d)])"#), @r#"[#date "2024-03-01" #date "2023-12-31" 2024 2 28]"#);
    assert_snapshot!(check(r#"(.plusDays (LocalDate/parse "2024-02-28") 9223372036854775807)"#), @"! argument_error .plusDays: the result is outside the years -9999 to 9999");
    assert_snapshot!(check(r#"(sort [(LocalDate/parse "2024-02-01") (LocalDate/parse "2023-12-31")])"#), @r#"[#date "2023-12-31" #date "2024-02-01"]"#);
    assert_snapshot!(check(r#"(.isBefore (LocalDate/parse "2024-02-01") (java.util.Date. 0))"#), @"! type_error .isBefore: expected two dates, got datetime");
}

#[test]
fn what_is_not_there_is_said() {
    assert_snapshot!(check(r#"(LocalDate/parse "3/4/2024")"#), @r#"! argument_error LocalDate/parse: not a YYYY-MM-DD date: '3/4/2024'; read another form with (LocalDate/parse s (DateTimeFormatter/ofPattern "d/M/yyyy"))"#);
    assert_snapshot!(check(r#"(LocalDate/parse "3/4/2024" (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"#), @r#"! argument_error LocalDate/parse: '3/4/2024' does not fit the pattern "dd.MM.yyyy", from '3/4/2024' on"#);
    assert_snapshot!(check(r#"(LocalDate/parse "30.02.2024" (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"#), @"! argument_error LocalDate/parse: there is no such date: '30.02.2024'");
    assert_snapshot!(check(r#"(LocalDateTime/parse "2024-03-01" (DateTimeFormatter/ofPattern "yyyy-MM-dd"))"#), @r#"! argument_error LocalDateTime/parse: the pattern "yyyy-MM-dd" has no time of day (HH:mm)"#);
    assert_snapshot!(check(r#"(LocalDate/parse "2024-03-01" "yyyy-MM-dd")"#), @r#"! type_error LocalDate/parse: expected a formatter: (DateTimeFormatter/ofPattern "yyyy-MM-dd"), got string"#);
    assert_snapshot!(check(r#"(DateTimeFormatter/ofPattern "YYYY-MM-dd")"#), @r#"! argument_error DateTimeFormatter/ofPattern: Y is the week-based year; write yyyy in the pattern "YYYY-MM-dd""#);
    assert_snapshot!(check(r#"(DateTimeFormatter/ofPattern "yyyy-MM-ddTHH:mm")"#), @r#"! argument_error DateTimeFormatter/ofPattern: the letter T has no meaning here (the letters are y u M L d D E a h H m s S Q X x Z z V; put text in 'quotes') in the pattern "yyyy-MM-ddTHH:mm""#);
    assert_snapshot!(check(r#"(.format (LocalDate/of 2024 3 1) (DateTimeFormatter/ofPattern "dd.mm.yyyy"))"#), @r#"! argument_error .format: the pattern "dd.mm.yyyy" asks for the minute (the month is M), which a date does not have"#);
    assert_snapshot!(check(r#"(.plusHours (LocalDate/of 2024 3 1) 1)"#), @"! type_error .plusHours: expected a time or instant ((.atStartOfDay d) and (.atTime d 10 30) give a date a time), got date");
    assert_snapshot!(check(r#"(ZoneId/of "Berlin")"#), @r#"! argument_error ZoneId/of: unknown time zone "Berlin"; write a name such as "Europe/Berlin" or "America/New_York", "UTC", or an offset such as "+02:00""#);
    assert_snapshot!(check(r#"(.atZone (java.util.Date. 0) "UTC")"#), @r#"! type_error .atZone: expected a zone such as (ZoneId/of "Europe/Berlin"), got string"#);
    assert_snapshot!(check(r#"(- (Duration/ofHours 2) (Duration/ofHours 1))"#), @"! type_error -: expected numbers, got duration and duration; (.plus a b) and (.minus a b) join durations, (.toMillis d) gives a number");
    assert_snapshot!(check(r#"(quot (Duration/ofHours 2) 3600000)"#), @"! type_error quot: expected numbers, got duration and number; (.toMillis d), (.toHours d) and (.toDays d) give a number");
    assert_snapshot!(check(r#"(.between ChronoUnit/MONTHS (java.util.Date. 0) (java.util.Date. 5))"#), @r#"! type_error .between: cannot count MONTHS between datetime and datetime; (.atZone inst (ZoneId/of "UTC")) has days and months"#);
    assert_snapshot!(check(r#"#date "2024-02-30""#), @r#"! parse_error '2024-02-30' is not a valid #date (write #date "2024-03-01")"#);
    assert_snapshot!(check(r#"#inst 5"#), @r#"! parse_error #inst needs a string: #inst "2024-03-09T10:00:00Z""#);
    assert_snapshot!(check(r#"(sort [(Period/ofDays 1) (Period/ofDays 2)])"#), @"! type_error cannot compare period with period; (sort-by str coll) sorts as texts");
    assert_snapshot!(check(r#"(< DayOfWeek/MONDAY Month/MAY)"#), @"! type_error <: expected times of one kind that has an order, got month");
    assert_snapshot!(check(r#"DayOfWeek/MONTAG"#), @"! invalid_form no DayOfWeek function named MONTAG; available: FRIDAY, MONDAY, SATURDAY, SUNDAY, THURSDAY, TUESDAY, WEDNESDAY, from, of, valueOf, values");
    assert_snapshot!(check(r#"(.getValue (LocalDate/of 2024 3 1))"#), @"! type_error .getValue: expected a weekday or month, got date");
}

#[test]
fn names_of_days_and_months_are_values() {
    assert_snapshot!(check("(sort [DayOfWeek/SUNDAY DayOfWeek/MONDAY java.time.DayOfWeek/FRIDAY])"), @"[MONDAY FRIDAY SUNDAY]");
    assert_snapshot!(check("(let [d (LocalDate/of 2024 5 1)] [(= DayOfWeek/WEDNESDAY (.getDayOfWeek d)) (#{DayOfWeek/SATURDAY DayOfWeek/SUNDAY} (.getDayOfWeek d)) (case (.getDayOfWeek d) DayOfWeek/MONDAY 1 (DayOfWeek/TUESDAY WEDNESDAY) 2) (case (.getMonth d) MAY :may :other) (condp = (.getMonth d) Month/MAY 5) ({Month/MAY 1} (.getMonth d)) (identical? Month/MAY (.getMonth d))])"), @"[true nil 2 :may 5 1 true]");
    assert_snapshot!(check("(let [MAY 1] (case 'MAY MAY [MAY (type 'MAY) (type Month/MAY)]))"), @"[1 :symbol :month]");
    assert_snapshot!(check("(str DayOfWeek/MONDAY \" \" [ChronoUnit/DAYS] ChronoUnit/DAYS)"), @r#""MONDAY [ChronoUnit/DAYS]Days""#);
    assert_snapshot!(check("(frequencies (map #(.getDayOfWeek %) (.datesUntil (LocalDate/of 2024 1 1) (LocalDate/of 2024 1 11))))"), @"{MONDAY 2 TUESDAY 2 WEDNESDAY 2 THURSDAY 1 FRIDAY 1 SATURDAY 1 SUNDAY 1}");
    assert_snapshot!(check("(mapv #(instance? % DayOfWeek/MONDAY) [DayOfWeek Month])"), @"[true false]");
}

#[test]
fn times_print_plain_alone() {
    assert_snapshot!(check(r#"(let [d (LocalDate/of 2024 3 1)] (println d) (println [d] {:due d}) (prn d) (println (java.util.Date. 0) DayOfWeek/MONDAY) [(str d) (str [d]) (pr-str d)])"#), @r##"
    > 2024-03-01
    > [#date "2024-03-01"] {:due #date "2024-03-01"}
    > #date "2024-03-01"
    > 1970-01-01T00:00:00Z MONDAY
    ["2024-03-01" "[#date \"2024-03-01\"]" "#date \"2024-03-01\""]
    "##);
}
