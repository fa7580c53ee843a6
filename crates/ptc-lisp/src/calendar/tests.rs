//! Patterns and literals read what they write, and refuse anything else without a panic.

use jiff::civil::{Date, Time, date};
use proptest::prelude::*;

use super::{DateFields, Moment, TAGS, Temporal, TimeLiteral, UNITS, read, tokens, written};

fn dates() -> impl Strategy<Value = Date> {
    (1_i16..9_999, 1_i8..13, 1_i8..29).prop_map(|(year, month, day)| date(year, month, day))
}

fn times() -> impl Strategy<Value = Time> {
    (0_i8..24, 0_i8..60, 0_i8..60).prop_map(|(hour, minute, second)| Time::new(hour, minute, second, 0).unwrap())
}

proptest! {
    #[test]
    fn what_a_pattern_writes_it_reads(date in dates(), time in times()) {
        for pattern in [
            "yyyy-MM-dd'T'HH:mm:ss",
            "dd.MM.yyyy H:m:s",
            "EEEE, d MMMM yyyy hh:mm:ss a",
            "yyyyMMddHHmmss",
            "M/d/yyyy h:mm:ss a",
            "yyyy-DDD HH:mm[:ss]",
        ] {
            let parts = tokens(pattern).unwrap();
            let shown = DateFields { date: Some(date), time: Some(time), ..DateFields::default() };
            let text = written(&parts, &shown).unwrap();
            let fields = read(&parts, &text).unwrap_or_else(|at| panic!("{pattern} {text} {at}"));
            prop_assert_eq!((fields.date(), fields.time()), (Some(date), Some(time)), "{} {}", pattern, text);
        }
    }

    #[test]
    fn as_many_units_are_counted_as_a_value_was_moved_by(date in dates(), time in times(), count in 0_i64..5_000) {
        let at = Temporal::DateTime(date.to_datetime(time));
        let instant = 1_700_000_000_000_000;
        for unit in UNITS {
            for moment in [Moment::Date(date), Moment::Instant(instant), Moment::Temporal(&at)] {
                let Some(moved) = moment.moved(Some(count), unit.measure) else { continue };
                let Some(moved) = moved else { continue };
                let moved = match &moved {
                    TimeLiteral::Date(date) => Moment::Date(*date),
                    TimeLiteral::Instant(micros) => Moment::Instant(*micros),
                    TimeLiteral::Temporal(temporal) => Moment::Temporal(temporal),
                };
                prop_assert_eq!(moment.count(moved, unit.measure), Some(count), "{} from {:?}", unit.name, moment);
                prop_assert_eq!(moved.order(moment), Some(count.cmp(&0)));
            }
        }
    }

    #[test]
    fn any_text_and_pattern_ends_in_a_value_or_an_error(
        pattern in "[yMdHhmsSaEXVz'\\[\\] /-]{0,12}|.{0,6}",
        text in "[0-9TZ:+ .-]{0,26}|.{0,10}",
    ) {
        if let Ok(parts) = tokens(&pattern) {
            let _ = read(&parts, &text).map(|fields| (fields.date(), fields.time(), fields.month()));
            let (date, time) = (Some(date(2024, 3, 1)), Some(Time::midnight()));
            let _ = written(&parts, &DateFields { date, time, ..DateFields::default() });
        }
        for (tag, _) in TAGS {
            let _ = TimeLiteral::read(tag, &text);
        }
    }
}

#[test]
fn the_examples_of_tags_are_read() {
    for (tag, example) in TAGS {
        assert_eq!(
            TimeLiteral::read(tag, example).map(|read| read.kind() == *tag || *tag == "inst"),
            Some(true),
            "{tag}"
        );
    }
}
