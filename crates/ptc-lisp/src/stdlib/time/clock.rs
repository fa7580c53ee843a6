//! Date-times, zones, and points in time as local times of a zone.

use jiff::civil::{DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, Zoned};

use super::date::{civil, date, month_number};
use super::{formatter, micros_of, out_of_range, part};
use crate::calendar::{read_date_time, read_offset, read_zoned, zone_of};
use crate::error::Res;
use crate::stdlib::{Call, Family, rows, show};
use crate::value::{Temporal, Value};

pub(crate) const FAMILY: Family = rows! {
    "Date-times and zones";
    "LocalDateTime/parse" "[s]" "[s formatter]" lazy = date_time_parse,
        "The date and time of a text such as `2024-03-01T10:30`, or of one that fits a `DateTimeFormatter`."
        r#"(LocalDateTime/parse "2024-03-01T10:30")"# => r#"#local-datetime "2024-03-01T10:30""#,
        r#"(LocalDateTime/parse "2024-03-01 10:30:05" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm:ss"))"#
            => r#"#local-datetime "2024-03-01T10:30:05""#;
    "LocalDateTime/of" "[date time]" "[year month day hour minute]" "[year month day hour minute second]"
        lazy = date_time_of,
        "A date with a time of day, without a zone."
        "(LocalDateTime/of 2024 3 1 10 30)" => r#"#local-datetime "2024-03-01T10:30""#;
    "LocalDateTime/now" "[]" "[zone]" lazy effect = |call| call.temporal(Temporal::DateTime(now(call)?)),
        "The current date and time, in UTC without a zone." "(type (LocalDateTime/now))" => ":local-datetime";
    "LocalDateTime/ofInstant" "[inst zone]" lazy
        = |call| call.temporal(Temporal::DateTime(instant_in(call)?.datetime())),
        "Date and time of a point in time, on the clocks of a zone."
        r#"(LocalDateTime/ofInstant (java.util.Date. 0) (ZoneId/of "Asia/Tokyo"))"#
            => r#"#local-datetime "1970-01-01T09:00""#;
    "ZonedDateTime/parse" "[s]" "[s formatter]" lazy = zoned_parse,
        "The time in a zone of a text such as `2024-03-01T10:30+01:00[Europe/Berlin]`; the zone in brackets may be \
         missing."
        r#"(ZonedDateTime/parse "2024-03-01T10:30+01:00[Europe/Berlin]")"#
            => r#"#zoned-datetime "2024-03-01T10:30+01:00[Europe/Berlin]""#;
    "OffsetDateTime/parse" "[s]" "[s formatter]" lazy = zoned_parse,
        "The same as `ZonedDateTime/parse`."
        r#"(str (OffsetDateTime/parse "2024-03-01T10:30+02:00"))"# => r#""2024-03-01T10:30+02:00""#;
    "ZonedDateTime/of" "[datetime zone]" "[date time zone]" "[year month day hour minute second nano zone]"
        lazy = zoned_of,
        "A date and time on the clocks of a zone."
        r#"(str (ZonedDateTime/of 2024 7 1 10 30 0 0 (ZoneId/of "Europe/Berlin")))"#
            => r#""2024-07-01T10:30+02:00[Europe/Berlin]""#;
    "ZonedDateTime/now" "[]" "[zone]" lazy effect = |call| call.zoned(zoned_at_now(call)?),
        "The current time in a zone, in UTC without one." "(type (ZonedDateTime/now))" => ":zoned-datetime";
    "ZonedDateTime/ofInstant" "[inst zone]" lazy = |call| call.zoned(instant_in(call)?),
        "A point in time on the clocks of a zone."
        r#"(str (ZonedDateTime/ofInstant (java.util.Date. 0) (ZoneId/of "UTC")))"# => r#""1970-01-01T00:00Z""#;
    "ZoneId/of" "[name]" lazy = zone_named,
        "The time zone of a name such as `Europe/Berlin`, `UTC` or `+02:00`."
        r#"(ZoneId/of "Europe/Berlin")"# => r#"#zone "Europe/Berlin""#;
    "ZoneId/systemDefault" "[]" lazy = |call| call.temporal(Temporal::Zone(TimeZone::UTC)),
        "UTC: programs run the same everywhere." "(str (ZoneId/systemDefault))" => r#""UTC""#;
    "ZoneOffset/of" "[name]" lazy = zone_named,
        "The zone of an offset such as `+02:00`." r#"(str (ZoneOffset/of "+02:00"))"# => r#""+02:00""#;
    "ZoneOffset/ofHours" "[n]" lazy = offset_hours,
        "The zone that is `n` hours ahead of UTC." "(str (ZoneOffset/ofHours -5))" => r#""-05:00""#;
    ".atStartOfDay" "[d]" "[d zone]" lazy = at_start_of_day,
        "A date at midnight; with a zone, the first moment of the day there."
        "(.atStartOfDay (LocalDate/of 2024 3 1))" => r#"#local-datetime "2024-03-01T00:00""#;
    ".atTime" "[d time]" "[d hour minute]" "[d hour minute second]" lazy = at_time,
        "A date with a time of day."
        "(.atTime (LocalDate/of 2024 3 1) 10 30)" => r#"#local-datetime "2024-03-01T10:30""#;
    ".atZone" "[t zone]" lazy = at_zone,
        "A point in time on the clocks of a zone, or a date-time as they show it there."
        r#"(str (.atZone (java.util.Date. 0) (ZoneId/of "America/New_York")))"#
            => r#""1969-12-31T19:00-05:00[America/New_York]""#;
    ".atOffset" "[t zone]" lazy = at_zone,
        "The same as `.atZone`." "(str (.atOffset (java.util.Date. 0) ZoneOffset/UTC))" => r#""1970-01-01T00:00Z""#;
    ".toLocalDate" "[t]" lazy = |call| date(call).map(Value::Date),
        "The date of a date-time." "(.toLocalDate (LocalDateTime/of 2024 3 1 10 30))" => r#"#date "2024-03-01""#;
    ".toLocalTime" "[t]" lazy = |call| call.temporal(Temporal::Time(time(call, 0)?)),
        "The time of day of a date-time."
        "(.toLocalTime (LocalDateTime/of 2024 3 1 10 30))" => r#"#local-time "10:30""#;
    ".toLocalDateTime" "[t]" lazy = to_local_date_time,
        "Date and time of a time in a zone, without the zone."
        r#"(str (.toLocalDateTime (ZonedDateTime/parse "2024-03-01T10:30+01:00")))"# => r#""2024-03-01T10:30""#;
    ".toInstant" "[t]" "[t zone]" lazy = |call| placed(call).map(Value::Instant),
        "The point in time of a time in a zone; of a date-time with the zone it is in."
        "(.toInstant (LocalDateTime/of 2024 3 1 10 30) ZoneOffset/UTC)" => r#"#inst "2024-03-01T10:30:00Z""#;
    ".toEpochSecond" "[t]" "[t zone]" lazy = |call| placed(call).map(|micros| Value::Int(micros.div_euclid(1_000_000))),
        "Seconds from 1970 to a time in a zone; to a date-time with the zone it is in."
        "(.toEpochSecond (LocalDateTime/of 1970 1 2 0 0) ZoneOffset/UTC)" => "86400";
    ".withZoneSameInstant" "[t zone]" lazy = |call| call.zoned(zoned(call)?.with_time_zone(zone(call, 1)?)),
        "The same point in time on the clocks of another zone."
        r#"(str (.withZoneSameInstant (ZonedDateTime/parse "2024-03-01T10:30Z") (ZoneId/of "Asia/Tokyo")))"#
            => r#""2024-03-01T19:30+09:00[Asia/Tokyo]""#;
    ".withZoneSameLocal" "[t zone]" lazy = |call| call.local_in(zoned(call)?.datetime(), zone(call, 1)?),
        "The same date and time on the clocks of another zone."
        r#"(str (.withZoneSameLocal (ZonedDateTime/parse "2024-03-01T10:30Z") (ZoneId/of "Asia/Tokyo")))"#
            => r#""2024-03-01T10:30+09:00[Asia/Tokyo]""#;
    ".getZone" "[t]" lazy = |call| call.temporal(Temporal::Zone(zoned(call)?.time_zone().clone())),
        "The zone of a time in a zone."
        r#"(.getZone (ZonedDateTime/parse "2024-03-01T10:30+02:00"))"# => r#"#zone "+02:00""#;
    ".getOffset" "[t]" lazy = |call| call.temporal(Temporal::Zone(TimeZone::fixed(zoned(call)?.offset()))),
        "How far the clocks of its zone are from UTC, as a zone."
        r#"(str (.getOffset (ZonedDateTime/parse "2024-07-01T10:30+02:00[Europe/Berlin]")))"# => r#""+02:00""#;
};

/// Date and time now, in UTC or in the zone of argument 0.
pub(super) fn now(call: &Call<'_>) -> Res<DateTime> {
    zoned_at_now(call).map(|now| now.datetime())
}

fn zoned_at_now(call: &Call<'_>) -> Res<Zoned> {
    let zone = if call.len() == 0 { TimeZone::UTC } else { zone(call, 0)? };
    in_zone(call, call.cx.clock.now_micros(), zone)
}

/// The point in time in argument 0 in the zone of argument 1.
fn instant_in(call: &Call<'_>) -> Res<Zoned> {
    in_zone(call, micros_of(call)?, zone(call, 1)?)
}

fn in_zone(call: &Call<'_>, micros: i64, zone: TimeZone) -> Res<Zoned> {
    let time = Timestamp::from_microsecond(micros).map_err(|_| out_of_range(call))?;
    Ok(time.to_zoned(zone))
}

/// The zone in an argument.
fn zone(call: &Call<'_>, index: usize) -> Res<TimeZone> {
    match call.arg(index) {
        Value::Temporal(zone) if let Temporal::Zone(zone) = &**zone => Ok(zone.clone()),
        Value::Str(_) => Err(call.wrong("a zone such as (ZoneId/of \"Europe/Berlin\")", call.arg(index))),
        other => Err(call.wrong("a zone", other)),
    }
}

fn date_time_parse(call: &mut Call<'_>) -> Res {
    let wanted = "a date-time such as 2024-03-01T10:30";
    let at = formatter::parsed(call, read_date_time, wanted, "yyyy-MM-dd HH:mm", |found| {
        let date = found.date().ok_or(("date", "yyyy-MM-dd"))?;
        Ok(date.to_datetime(found.time().ok_or(("time of day", "HH:mm"))?))
    })?;
    call.temporal(Temporal::DateTime(at))
}

fn date_time_of(call: &mut Call<'_>) -> Res {
    let at = if call.len() == 2 { date(call)?.to_datetime(time(call, 1)?) } else { civil_clock(call, Some(0))? };
    call.temporal(Temporal::DateTime(at))
}

/// The date of the first three arguments, and the time of those from the fourth on.
fn civil_clock(call: &Call<'_>, nano: Option<i32>) -> Res<DateTime> {
    let (date, time) = (civil(call.int(0)?, month_number(call, 1)?, call.int(2)?), clock(call, 3)?);
    let time = time.zip(nano).and_then(|(time, nano)| time.with().subsec_nanosecond(nano).build().ok());
    date.zip(time).map(|(date, time)| date.to_datetime(time)).ok_or_else(|| no_time(call))
}

/// Hour, minute and perhaps second from an argument on; `None` where there is no such time.
pub(super) fn clock(call: &Call<'_>, from: usize) -> Res<Option<Time>> {
    let second = if call.len() > from + 2 { call.int(from + 2)? } else { 0 };
    let (hour, minute) = (call.int(from)?, call.int(from + 1)?);
    let made = || Time::new(hour.try_into().ok()?, minute.try_into().ok()?, second.try_into().ok()?, 0).ok();
    Ok(made())
}

// Bounded: a few arguments, each shown in short.
pub(super) fn no_time(call: &Call<'_>) -> Box<crate::error::Signal> {
    let given: Vec<String> = call.args.iter().map(crate::value::shown).collect();
    call.invalid(format_args!("there is no such time: {}", given.join(" ")))
}

/// The time of day in an argument.
pub(super) fn time(call: &Call<'_>, index: usize) -> Res<Time> {
    call.want(index, "a time of day", part::time)
}

fn zoned_parse(call: &mut Call<'_>) -> Res {
    let wanted = "a time such as 2024-03-01T10:30+01:00[Europe/Berlin]";
    let zoned = formatter::parsed(
        call,
        |text| read_zoned(text).map(Ok),
        wanted,
        "yyyy-MM-dd HH:mm XXX",
        |found| {
            let at = found.date().zip(found.time()).ok_or(("date with a time", "yyyy-MM-dd HH:mm"))?;
            let zone = found.zone.clone().or_else(|| found.offset.map(TimeZone::fixed)).ok_or(("zone", "XXX"))?;
            Ok(at.0.to_datetime(at.1).to_zoned(zone))
        },
    )?;
    call.zoned(zoned.map_err(|_| out_of_range(call))?)
}

impl Call<'_> {
    /// A local time in a zone.
    fn local_in(&mut self, at: DateTime, zone: TimeZone) -> Res {
        let zoned = at.to_zoned(zone).map_err(|_| out_of_range(self))?;
        self.zoned(zoned)
    }
}

fn zoned_of(call: &mut Call<'_>) -> Res {
    let zone = zone(call, call.len() - 1)?;
    let at = match call.len() {
        2 => call.want(0, "a date-time", part::date_time)?,
        3 => date(call)?.to_datetime(time(call, 1)?),
        _ => civil_clock(call, call.int(6)?.try_into().ok())?,
    };
    call.local_in(at, zone)
}

fn zone_named(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let fixed = call.name.starts_with("ZoneOffset");
    let found = if fixed { read_offset(&text).map(TimeZone::fixed) } else { zone_of(&text) };
    call.temporal(Temporal::Zone(found.ok_or_else(|| {
        call.invalid(format_args!(
            "unknown time zone {}; write a name such as \"Europe/Berlin\" or \"America/New_York\", \"UTC\", or an \
             offset such as \"+02:00\"",
            show::quoted(&text)
        ))
    })?))
}

fn offset_hours(call: &mut Call<'_>) -> Res {
    let hours = call.int(0)?;
    let found = i8::try_from(hours)
        .ok()
        .filter(|hours| (-18..=18).contains(hours))
        .and_then(|hours| Offset::from_hours(hours).ok());
    let offset = found.ok_or_else(|| call.invalid(format_args!("expected -18 to 18 hours, got {hours}")))?;
    call.temporal(Temporal::Zone(TimeZone::fixed(offset)))
}

fn at_start_of_day(call: &mut Call<'_>) -> Res {
    let at = date(call)?.to_datetime(Time::midnight());
    if call.len() == 1 { call.temporal(Temporal::DateTime(at)) } else { call.local_in(at, zone(call, 1)?) }
}

fn at_time(call: &mut Call<'_>) -> Res {
    let date = date(call)?;
    let time = if call.len() == 2 { Some(time(call, 1)?) } else { clock(call, 1)? };
    call.temporal(Temporal::DateTime(date.to_datetime(time.ok_or_else(|| no_time(call))?)))
}

fn at_zone(call: &mut Call<'_>) -> Res {
    if part::micros(call.arg(0)).is_some() {
        return call.zoned(instant_in(call)?);
    }
    call.local_in(call.want(0, "an instant or date-time", part::date_time)?, zone(call, 1)?)
}

fn to_local_date_time(call: &mut Call<'_>) -> Res {
    let at = call.want(0, "a time in a zone ((.atZone inst zone) gives one)", part::date_time)?;
    call.temporal(Temporal::DateTime(at))
}

/// Microseconds since 1970 of argument 0; a date-time is in the zone of argument 1.
fn placed(call: &Call<'_>) -> Res<i64> {
    if let Some(micros) = part::micros(call.arg(0)) {
        return Ok(micros);
    }
    let at = call.want(0, "a time in a zone", part::date_time)?;
    if call.len() == 1 {
        let name = call.name;
        return Err(call
            .invalid(format_args!("a date-time is in no zone; write ({name} t ZoneOffset/UTC) or (.atZone t zone)")));
    }
    let zoned = at.to_zoned(zone(call, 1)?).map_err(|_| out_of_range(call))?;
    Ok(zoned.timestamp().as_microsecond())
}

fn zoned<'c>(call: &'c Call<'_>) -> Res<&'c Zoned> {
    call.want(0, "a time in a zone", part::zoned)
}
