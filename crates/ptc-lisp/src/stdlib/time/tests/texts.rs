//! Texts of times: written texts read back.

use crate::calendar::{TAGS, UNITS, zone_of};
use jiff::civil::{Date, Time, date};
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::stdlib::show::tests::check;
use crate::value::{
    FormatOptions, InZone, NoCells, NoRestore, Period, TIME_KINDS, Temporal, Value, YearMonth, format, from_tagged,
    time_from_tag, to_tagged, type_of,
};

fn dates() -> impl Strategy<Value = Date> {
    prop_oneof![
        (1_900_i16..2_100, 1_i8..13, 1_i8..29).prop_map(|(year, month, day)| date(year, month, day)),
        (-9_999_i16..9_999, 1_i8..13).prop_map(|(year, month)| date(year, month, 1).last_of_month()),
    ]
}

fn times() -> impl Strategy<Value = Time> {
    (0_i8..24, 0_i8..60, 0_i8..60, prop_oneof![Just(0), 0..1_000_000_000, (0..1_000).prop_map(|n| n * 1_000_000)])
        .prop_map(|(hour, minute, second, nanos)| Time::new(hour, minute, second, nanos).unwrap())
}

fn zones() -> impl Strategy<Value = TimeZone> {
    const NAMES: &[&str] = &[
        "UTC",
        "GMT",
        "Europe/Berlin",
        "America/New_York",
        "Asia/Kolkata",
        "Australia/Lord_Howe",
        "Etc/UTC",
        "+02:00",
        "-03:30",
        "Z",
    ];
    prop::sample::select(NAMES).prop_map(|name| zone_of(name).unwrap())
}

fn temporals() -> BoxedStrategy<Temporal> {
    let numbers = || prop_oneof![Just(0), -40..40_i32, any::<i32>()];
    prop_oneof![
        (dates(), times()).prop_map(|(date, time)| Temporal::DateTime(date.to_datetime(time))),
        times().prop_map(Temporal::Time),
        dates().prop_map(|date| Temporal::YearMonth(YearMonth::from(date))),
        ((1_600_i16..2_400, 1_i8..13, 1_i8..29), times(), zones()).prop_map(|((year, month, day), time, zone)| {
            Temporal::Zoned(InZone(date(year, month, day).to_datetime(time).to_zoned(zone).unwrap()))
        }),
        zones().prop_map(Temporal::Zone),
        (1_u8..8).prop_map(Temporal::DayOfWeek),
        (1_u8..13).prop_map(Temporal::Month),
        (0..UNITS.len() as u8).prop_map(Temporal::Unit),
        (numbers(), numbers(), numbers()).prop_map(|(years, months, days)| Temporal::Period(Period {
            years,
            months,
            days
        })),
        prop_oneof![any::<i64>(), -10_000_000_000..10_000_000_000_i64, Just(0), Just(i64::MIN)]
            .prop_map(Temporal::Duration),
        prop::sample::select(&["yyyy-MM-dd", "dd.MM.yy 'at' HH:mm", "h:mm a", "MMM d, yyyy[ HH:mm]", "''yyyy"][..])
            .prop_map(|pattern| Temporal::Formatter(pattern.to_owned())),
    ]
    .boxed()
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(temporal in temporals()) {
        let value = Value::from(temporal.clone());
        let printed = format(&value, &FormatOptions::full()).text;
        prop_assert_eq!(check(&printed), printed.as_str());
        prop_assert_eq!(check(&format!("(= {printed} (first [{printed}]) (get {{{printed} {printed}}} {printed}))")), "true");
        prop_assert_eq!(check(&format!("(first '({printed}))")), printed.as_str());
        let Some(Value::Temporal(back)) = time_from_tag(temporal.kind(), &temporal.text()) else { panic!("{printed}") };
        prop_assert_eq!(&*back, &temporal);
        let stored = to_tagged(&value, &NoCells).unwrap();
        let restored = from_tagged(&stored, &mut NoRestore).unwrap();
        prop_assert_eq!(format(&restored, &FormatOptions::full()).text, printed);
        prop_assert_eq!(type_of(&value), temporal.kind());
        prop_assert!(TIME_KINDS.contains(&temporal.kind()) && TAGS.iter().any(|(tag, _)| *tag == temporal.kind()));
    }

    #[test]
    fn dates_and_points_in_time_read_back(date in dates(), micros in -60_000_000_000_000_000_i64..200_000_000_000_000_000) {
        for value in [Value::Date(date), Value::Instant(micros)] {
            let printed = format(&value, &FormatOptions::full()).text;
            prop_assert_eq!(check(&printed), printed);
        }
    }
}
