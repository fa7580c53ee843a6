//! Times of day, and the time of a date-time.

use jiff::civil::Time;

use super::amount::unit;
use super::clock::{clock, no_time, now, time};
use super::date::step;
use super::{formatter, out_of_range, part};
use crate::calendar::read_time;
use crate::error::Res;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Temporal, Value};

pub(crate) const FAMILY: Family = rows! {
    "Times of day";
    "LocalTime/parse" "[s]" "[s formatter]" lazy = time_parse,
        "The time of day of a text such as `10:30`, or of one that fits a `DateTimeFormatter`."
        r#"(LocalTime/parse "10:30")"# => r#"#local-time "10:30""#;
    "LocalTime/of" "[hour minute]" "[hour minute second]" lazy
        = |call| call.temporal(Temporal::Time(clock(call, 0)?.ok_or_else(|| no_time(call))?)),
        "A time of day." "(str (LocalTime/of 9 5))" => r#""09:05""#;
    "LocalTime/now" "[]" "[zone]" lazy effect = |call| call.temporal(Temporal::Time(now(call)?.time())),
        "The current time of day, in UTC without a zone." "(type (LocalTime/now))" => ":local-time";
    ".getHour" "[t]" lazy = |call| time(call, 0).map(|time| Value::Int(time.hour().into())),
        "The hour of a time, 0 to 23." r#"(.getHour (LocalTime/parse "10:30"))"# => "10";
    ".getMinute" "[t]" lazy = |call| time(call, 0).map(|time| Value::Int(time.minute().into())),
        "The minute of a time." r#"(.getMinute (LocalTime/parse "10:30"))"# => "30";
    ".getSecond" "[t]" lazy = |call| time(call, 0).map(|time| Value::Int(time.second().into())),
        "The second of a time." r#"(.getSecond (LocalTime/parse "10:30:05"))"# => "5";
    ".getNano" "[t]" lazy = |call| time(call, 0).map(|time| Value::Int(time.subsec_nanosecond().into())),
        "The nanoseconds of a time within its second." r#"(.getNano (LocalTime/parse "10:30:05.5"))"# => "500000000";
    ".toSecondOfDay" "[t]" lazy
        = |call| time(call, 0).map(|time| Value::Int(time.duration_since(Time::midnight()).as_secs())),
        "Seconds from midnight to a time of day." r#"(.toSecondOfDay (LocalTime/parse "00:10"))"# => "600";
    ".withHour" "[t n]" lazy = |call| changed(call, |time, n| time.with().hour(i8::try_from(n).ok()?).build().ok()),
        "The time at another hour." r#"(.withHour (LocalTime/parse "10:30") 0)"# => r#"#local-time "00:30""#;
    ".withMinute" "[t n]" lazy = |call| changed(call, |time, n| time.with().minute(i8::try_from(n).ok()?).build().ok()),
        "The time at another minute." r#"(.withMinute (LocalTime/parse "10:30") 0)"# => r#"#local-time "10:00""#;
    ".withSecond" "[t n]" lazy = |call| changed(call, |time, n| time.with().second(i8::try_from(n).ok()?).build().ok()),
        "The time at another second." r#"(.withSecond (LocalTime/parse "10:30") 5)"# => r#"#local-time "10:30:05""#;
    ".withNano" "[t n]" lazy
        = |call| changed(call, |time, n| time.with().subsec_nanosecond(i32::try_from(n).ok()?).build().ok()),
        "The time at another nanosecond of its second."
        r#"(.withNano (LocalTime/parse "10:30:00.5") 0)"# => r#"#local-time "10:30""#;
    ".truncatedTo" "[t unit]" lazy = truncated,
        "The time without what is smaller than a unit, at most days."
        "(.truncatedTo (LocalDateTime/of 2024 3 1 10 30) ChronoUnit/HOURS)" => r#"#local-datetime "2024-03-01T10:00""#;
    ".plusHours" "[t n]" lazy = step,
        "The time or instant `n` hours later."
        r#"(.plusHours (LocalTime/parse "23:30") 1)"# => r#"#local-time "00:30""#;
    ".minusHours" "[t n]" lazy = step,
        "The time or instant `n` hours earlier."
        r#"(.minusHours (LocalTime/parse "10:30") 1)"# => r#"#local-time "09:30""#;
    ".plusMinutes" "[t n]" lazy = step,
        "The time or instant `n` minutes later."
        "(.plusMinutes (java.util.Date. 0) 90)" => r#"#inst "1970-01-01T01:30:00Z""#;
    ".minusMinutes" "[t n]" lazy = step,
        "The time or instant `n` minutes earlier."
        r#"(.minusMinutes (LocalTime/parse "10:30") 45)"# => r#"#local-time "09:45""#;
    ".plusSeconds" "[t n]" lazy = step,
        "The time or instant `n` seconds later."
        "(.plusSeconds (java.util.Date. 0) 90)" => r#"#inst "1970-01-01T00:01:30Z""#;
    ".minusSeconds" "[t n]" lazy = step,
        "The time or instant `n` seconds earlier."
        "(.minusSeconds (java.util.Date. 90) 90)" => r#"#inst "1970-01-01T00:00:00Z""#;
    ".plusMillis" "[t n]" lazy = step,
        "The instant or duration `n` milliseconds later."
        "(.plusMillis (java.util.Date. 0) 250)" => r#"#inst "1970-01-01T00:00:00.25Z""#;
    ".minusMillis" "[t n]" lazy = step,
        "The instant or duration `n` milliseconds earlier."
        "(.minusMillis (java.util.Date. 1) 1000)" => r#"#inst "1970-01-01T00:00:00Z""#;
};

fn time_parse(call: &mut Call<'_>) -> Res {
    let time = formatter::parsed(call, read_time, "a time such as 10:30", "h:mm a", |found| {
        found.time().ok_or(("time of day", "HH:mm"))
    })?;
    call.temporal(Temporal::Time(time))
}

fn changed(call: &mut Call<'_>, change: fn(Time, i64) -> Option<Time>) -> Res {
    time(call, 0)?;
    let to = call.int(1)?;
    call.allocate(96)?;
    part::changed(call.arg(0), |moment| moment.with_time(|time| change(time, to))).ok_or_else(|| no_time(call))
}

fn truncated(call: &mut Call<'_>) -> Res {
    let micros = unit(call, 1)?.measure.exact().ok_or_else(|| {
        call.invalid(format_args!("expected a unit of at most DAYS, got {}", crate::value::shown(call.arg(1))))
    })?;
    if let Value::Instant(at) = call.arg(0) {
        return Ok(Value::Instant(at - at.rem_euclid(micros)));
    }
    let passed = time(call, 0)?.duration_since(Time::midnight());
    let over = i64::try_from(passed.as_nanos()).unwrap_or(0) % (micros * 1_000);
    call.allocate(96)?;
    let earlier = |time: Time| Some(time.wrapping_sub(jiff::SignedDuration::from_nanos(over)));
    let cut = part::changed(call.arg(0), |moment| moment.with_time(earlier));
    cut.ok_or_else(|| out_of_range(call))
}
