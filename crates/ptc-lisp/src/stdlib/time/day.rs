//! Times of day, and the time that a date-time has.

use jiff::civil::Time;

use super::clock::{clock, no_time, now, time};
use super::date::step;
use super::{formatter, out_of_range, part, temporal};
use crate::error::{Res, argument_error};
use crate::stdlib::{Builtin, Call, Family};
use crate::value::temporal::{Measure, UNITS, read_time};
use crate::value::{Temporal, Value};

pub(crate) const FAMILY: Family = Family {
    title: "Times of day",
    rows: &[
        Builtin::lazy(
            "LocalTime/parse",
            &["[s]", "[s formatter]"],
            "The time of day of a text such as `10:30`, or of one that fits a `DateTimeFormatter`.",
            &[(r#"(LocalTime/parse "10:30")"#, r#"#local-time "10:30""#)],
            time_parse,
        ),
        Builtin::lazy(
            "LocalTime/of",
            &["[hour minute]", "[hour minute second]"],
            "A time of day.",
            &[("(str (LocalTime/of 9 5))", r#""09:05""#)],
            time_of,
        ),
        Builtin::lazy(
            "LocalTime/now",
            &["[]", "[zone]"],
            "The current time of day, in UTC without a zone.",
            &[("(type (LocalTime/now))", ":local-time")],
            time_now,
        ),
        Builtin::lazy(
            ".getHour",
            &["[t]"],
            "The hour of a time, 0 to 23.",
            &[(r#"(.getHour (LocalTime/parse "10:30"))"#, "10")],
            get_hour,
        ),
        Builtin::lazy(
            ".getMinute",
            &["[t]"],
            "The minute of a time.",
            &[(r#"(.getMinute (LocalTime/parse "10:30"))"#, "30")],
            get_minute,
        ),
        Builtin::lazy(
            ".getSecond",
            &["[t]"],
            "The second of a time.",
            &[(r#"(.getSecond (LocalTime/parse "10:30:05"))"#, "5")],
            get_second,
        ),
        Builtin::lazy(
            ".getNano",
            &["[t]"],
            "The nanoseconds of a time within its second.",
            &[(r#"(.getNano (LocalTime/parse "10:30:05.5"))"#, "500000000")],
            get_nano,
        ),
        Builtin::lazy(
            ".toSecondOfDay",
            &["[t]"],
            "Seconds from midnight to a time of day.",
            &[(r#"(.toSecondOfDay (LocalTime/parse "00:10"))"#, "600")],
            second_of_day,
        ),
        Builtin::lazy(
            ".withHour",
            &["[t n]"],
            "The time at another hour.",
            &[(r#"(.withHour (LocalTime/parse "10:30") 0)"#, r#"#local-time "00:30""#)],
            with_hour,
        ),
        Builtin::lazy(
            ".withMinute",
            &["[t n]"],
            "The time at another minute.",
            &[(r#"(.withMinute (LocalTime/parse "10:30") 0)"#, r#"#local-time "10:00""#)],
            with_minute,
        ),
        Builtin::lazy(
            ".withSecond",
            &["[t n]"],
            "The time at another second.",
            &[(r#"(.withSecond (LocalTime/parse "10:30") 5)"#, r#"#local-time "10:30:05""#)],
            with_second,
        ),
        Builtin::lazy(
            ".withNano",
            &["[t n]"],
            "The time at another nanosecond of its second.",
            &[(r#"(.withNano (LocalTime/parse "10:30:00.5") 0)"#, r#"#local-time "10:30""#)],
            with_nano,
        ),
        Builtin::lazy(
            ".truncatedTo",
            &["[t unit]"],
            "The time without what is smaller than a unit, at most days.",
            &[(
                "(.truncatedTo (LocalDateTime/of 2024 3 1 10 30) ChronoUnit/HOURS)",
                r#"#local-datetime "2024-03-01T10:00""#,
            )],
            truncated,
        ),
        Builtin::lazy(
            ".plusHours",
            &["[t n]"],
            "The time or instant `n` hours later.",
            &[(r#"(.plusHours (LocalTime/parse "23:30") 1)"#, r#"#local-time "00:30""#)],
            step,
        ),
        Builtin::lazy(
            ".minusHours",
            &["[t n]"],
            "The time or instant `n` hours earlier.",
            &[(r#"(.minusHours (LocalTime/parse "10:30") 1)"#, r#"#local-time "09:30""#)],
            step,
        ),
        Builtin::lazy(
            ".plusMinutes",
            &["[t n]"],
            "The time or instant `n` minutes later.",
            &[("(.plusMinutes (java.util.Date. 0) 90)", r#"#inst "1970-01-01T01:30:00Z""#)],
            step,
        ),
        Builtin::lazy(
            ".minusMinutes",
            &["[t n]"],
            "The time or instant `n` minutes earlier.",
            &[(r#"(.minusMinutes (LocalTime/parse "10:30") 45)"#, r#"#local-time "09:45""#)],
            step,
        ),
        Builtin::lazy(
            ".plusSeconds",
            &["[t n]"],
            "The time or instant `n` seconds later.",
            &[("(.plusSeconds (java.util.Date. 0) 90)", r#"#inst "1970-01-01T00:01:30Z""#)],
            step,
        ),
        Builtin::lazy(
            ".minusSeconds",
            &["[t n]"],
            "The time or instant `n` seconds earlier.",
            &[("(.minusSeconds (java.util.Date. 90) 90)", r#"#inst "1970-01-01T00:00:00Z""#)],
            step,
        ),
        Builtin::lazy(
            ".plusMillis",
            &["[t n]"],
            "The instant or duration `n` milliseconds later.",
            &[("(.plusMillis (java.util.Date. 0) 250)", r#"#inst "1970-01-01T00:00:00.25Z""#)],
            step,
        ),
        Builtin::lazy(
            ".minusMillis",
            &["[t n]"],
            "The instant or duration `n` milliseconds earlier.",
            &[("(.minusMillis (java.util.Date. 1) 1000)", r#"#inst "1970-01-01T00:00:00Z""#)],
            step,
        ),
    ],
};

fn time_parse(call: &mut Call<'_>) -> Res {
    if call.len() == 2 {
        return match formatter::parsed(call)?.time() {
            Some(time) => temporal(call, Temporal::Time(time)),
            None => Err(formatter::not_there(call, "time of day", "HH:mm")),
        };
    }
    let text = call.text(0)?;
    match read_time(&text) {
        Some(time) => temporal(call, Temporal::Time(time)),
        None => Err(formatter::not_iso(call, &text, "a time such as 10:30", "h:mm a")),
    }
}

fn time_of(call: &mut Call<'_>) -> Res {
    match clock(call, 0)? {
        Some(time) => temporal(call, Temporal::Time(time)),
        None => Err(no_time(call)),
    }
}

fn time_now(call: &mut Call<'_>) -> Res {
    let now = now(call)?.time();
    temporal(call, Temporal::Time(now))
}

fn get_hour(call: &mut Call<'_>) -> Res {
    time(call, 0).map(|time| Value::Int(time.hour().into()))
}

fn get_minute(call: &mut Call<'_>) -> Res {
    time(call, 0).map(|time| Value::Int(time.minute().into()))
}

fn get_second(call: &mut Call<'_>) -> Res {
    time(call, 0).map(|time| Value::Int(time.second().into()))
}

fn get_nano(call: &mut Call<'_>) -> Res {
    time(call, 0).map(|time| Value::Int(time.subsec_nanosecond().into()))
}

fn second_of_day(call: &mut Call<'_>) -> Res {
    time(call, 0).map(|time| Value::Int(time.duration_since(Time::midnight()).as_secs()))
}

fn with_hour(call: &mut Call<'_>) -> Res {
    changed(call, |time, n| time.with().hour(i8::try_from(n).ok()?).build().ok())
}

fn with_minute(call: &mut Call<'_>) -> Res {
    changed(call, |time, n| time.with().minute(i8::try_from(n).ok()?).build().ok())
}

fn with_second(call: &mut Call<'_>) -> Res {
    changed(call, |time, n| time.with().second(i8::try_from(n).ok()?).build().ok())
}

fn with_nano(call: &mut Call<'_>) -> Res {
    changed(call, |time, n| time.with().subsec_nanosecond(i32::try_from(n).ok()?).build().ok())
}

fn changed(call: &mut Call<'_>, change: fn(Time, i64) -> Option<Time>) -> Res {
    time(call, 0)?;
    let to = call.int(1)?;
    call.allocate(96)?;
    part::with_time(call.arg(0), |time| change(time, to)).ok_or_else(|| no_time(call))
}

fn truncated(call: &mut Call<'_>) -> Res {
    let micros = match super::amount::unit(call, 1).map(|unit| UNITS.get(usize::from(unit)).map(|unit| unit.measure))? {
        Some(Measure::Exact(micros)) => micros,
        Some(Measure::Days(1)) => super::DAY_MICROS,
        _ => {
            return Err(argument_error(format!(
                "{}: expected a unit of at most DAYS, got {}",
                call.name,
                crate::value::shown(call.arg(1))
            )));
        }
    };
    if let Value::Instant(at) = call.arg(0) {
        return Ok(Value::Instant(at - at.rem_euclid(micros)));
    }
    let passed = time(call, 0)?.duration_since(Time::midnight());
    let over = i64::try_from(passed.as_nanos()).unwrap_or(0) % (micros * 1_000);
    call.allocate(96)?;
    let cut = part::with_time(call.arg(0), |time| Some(time.wrapping_sub(jiff::SignedDuration::from_nanos(over))));
    cut.ok_or_else(|| out_of_range(call))
}
