//! Amounts of time: durations, periods, units, and what lies between two times.

use jiff::civil::Date;

use super::date::{self, shifted};
use super::part::{self, Moved};
use super::{epoch_day, from_epoch_day};
use crate::error::{Res, Signal};
use crate::stdlib::{Call, Family, rows, show};
use crate::temporal::{Measure, UNITS, read_duration};
use crate::value::{Period, Temporal, Value};

pub(crate) const FAMILY: Family = rows! {
    "Amounts of time";
    "Duration/between" "[a b]" lazy = duration_between,
        "The exact time from `a` to `b`: instants, dates, date-times or times of day."
        "(Duration/between (java.util.Date. 0) (java.util.Date. 90))" => r#"#duration "PT1M30S""#,
        "(.toMillis (Duration/between (java.util.Date. 0) (java.util.Date. 2)))" => "2000";
    "Duration/parse" "[s]" lazy = duration_parse,
        "The duration of a text such as `PT1H30M`." r#"(.toMinutes (Duration/parse "PT1H30M"))"# => "90";
    "Duration/ofDays" "[n]" lazy = duration_of,
        "`n` times 24 hours." "(Duration/ofDays 2)" => r#"#duration "PT48H""#;
    "Duration/ofHours" "[n]" lazy = duration_of,
        "`n` hours." "(Duration/ofHours 2)" => r#"#duration "PT2H""#;
    "Duration/ofMinutes" "[n]" lazy = duration_of,
        "`n` minutes." "(Duration/ofMinutes 90)" => r#"#duration "PT1H30M""#;
    "Duration/ofSeconds" "[n]" lazy = duration_of,
        "`n` seconds." "(Duration/ofSeconds 90)" => r#"#duration "PT1M30S""#;
    "Duration/ofMillis" "[n]" lazy = duration_of,
        "`n` milliseconds." "(Duration/ofMillis 250)" => r#"#duration "PT0.25S""#;
    ".toMillis" "[duration]" lazy = |call| whole(call, 1_000),
        "A duration in milliseconds." "(.toMillis (Duration/ofSeconds 2))" => "2000";
    ".toSeconds" "[duration]" lazy = to_seconds,
        "The whole seconds of a duration." "(.toSeconds (Duration/ofMillis 2500))" => "2";
    ".getSeconds" "[duration]" lazy = to_seconds,
        "The whole seconds of a duration." "(.getSeconds (Duration/ofMinutes 2))" => "120";
    ".toMinutes" "[duration]" lazy = |call| whole(call, 60_000_000),
        "The whole minutes of a duration." "(.toMinutes (Duration/ofHours 2))" => "120";
    ".toHours" "[duration]" lazy = to_hours,
        "The whole hours of a duration." "(.toHours (Duration/ofDays 2))" => "48";
    ".toDays" "[duration]" lazy = |call| whole(call, 24 * HOUR),
        "The whole days of a duration." "(.toDays (Duration/ofHours 25))" => "1";
    ".toHoursPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / HOUR % 24)),
        "The hours of a duration beside its days." "(.toHoursPart (Duration/ofHours 25))" => "1";
    ".toMinutesPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / 60_000_000 % 60)),
        "The minutes of a duration beside its hours." "(.toMinutesPart (Duration/ofMinutes 90))" => "30";
    ".toSecondsPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / 1_000_000 % 60)),
        "The seconds of a duration beside its minutes." "(.toSecondsPart (Duration/ofSeconds 90))" => "30";
    ".isNegative" "[amount]" lazy = is_negative,
        "Whether a duration is below zero, or any part of a period." "(.isNegative (Duration/ofHours -1))" => "true";
    ".isZero" "[amount]" lazy = is_zero,
        "Whether a duration or period has no length." "(.isZero (Period/ofDays 0))" => "true";
    ".negated" "[amount]" lazy = negated,
        "A duration or period in the other direction." "(.negated (Duration/ofHours 1))" => r#"#duration "PT-1H""#;
    ".abs" "[duration]" lazy = absolute,
        "A duration without its sign." "(.abs (Duration/ofHours -1))" => r#"#duration "PT1H""#;
    ".multipliedBy" "[duration n]" lazy = multiplied,
        "A duration `n` times." "(.multipliedBy (Duration/ofMinutes 40) 3)" => r#"#duration "PT2H""#;
    "Period/between" "[a b]" lazy = period_between,
        "Years, months and days from date `a` to `b`."
        "(Period/between (LocalDate/of 2020 1 31) (LocalDate/of 2024 3 1))" => r#"#period "P4Y1M1D""#;
    "Period/parse" "[s]" lazy = period_parse,
        "The period of a text such as `P1Y2M3D`." r#"(.getMonths (Period/parse "P1Y2M3D"))"# => "2";
    "Period/of" "[years months days]" lazy = period_of,
        "Years, months and days." "(Period/of 1 2 3)" => r#"#period "P1Y2M3D""#;
    "Period/ofDays" "[n]" lazy = period_of_unit,
        "`n` days." "(.plus (LocalDate/of 2024 2 28) (Period/ofDays 2))" => r#"#date "2024-03-01""#;
    "Period/ofWeeks" "[n]" lazy = period_of_unit,
        "`n` weeks, as days." "(Period/ofWeeks 2)" => r#"#period "P14D""#;
    "Period/ofMonths" "[n]" lazy = period_of_unit,
        "`n` months." "(Period/ofMonths 14)" => r#"#period "P14M""#;
    "Period/ofYears" "[n]" lazy = period_of_unit,
        "`n` years." "(Period/ofYears 2)" => r#"#period "P2Y""#;
    ".getYears" "[period]" lazy = |call| of_period(call, |period| period.years.into()),
        "The years of a period." "(.getYears (Period/of 1 2 3))" => "1";
    ".getMonths" "[period]" lazy = |call| of_period(call, |period| period.months.into()),
        "The months of a period, beside its years." "(.getMonths (Period/of 1 2 3))" => "2";
    ".getDays" "[period]" lazy = |call| of_period(call, |period| period.days.into()),
        "The days of a period, beside its months." "(.getDays (Period/of 1 2 3))" => "3";
    ".toTotalMonths" "[period]" lazy
        = |call| of_period(call, |period| i64::from(period.years) * 12 + i64::from(period.months)),
        "The years and months of a period, in months." "(.toTotalMonths (Period/of 1 2 3))" => "14";
    ".between" "[unit a b]" lazy = |call| counted(call, unit(call, 0)?, 1, 2),
        "How many whole units lie between two dates, instants or times: `ChronoUnit/DAYS` and so on."
        r#"(.between ChronoUnit/DAYS (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-03-01"))"# => "60",
        r#"(.between ChronoUnit/MONTHS (LocalDate/parse "2024-01-31") (LocalDate/parse "2024-03-30"))"# => "1";
    ".until" "[a b]" "[a b unit]" lazy = until,
        "The period from date `a` to `b`; with a unit, how many whole ones."
        "(.until (LocalDate/of 2024 1 1) (LocalDate/of 2024 3 1) ChronoUnit/DAYS)" => "60",
        "(.until (LocalDate/of 2024 1 1) (LocalDate/of 2024 3 2))" => r#"#period "P2M1D""#;
    ".datesUntil" "[a b]" "[a b step]" lazy = dates_until,
        "The dates from `a` up to `b`, without `b`; with a period as step."
        "(map str (.datesUntil (LocalDate/of 2024 2 28) (LocalDate/of 2024 3 2)))"
            => r#"["2024-02-28" "2024-02-29" "2024-03-01"]"#;
    ".plus" "[t amount]" "[t n unit]" lazy = |call| added(call, 1),
        "A time, date, duration, weekday or month later by a period, a duration or `n` units."
        "(.plus (LocalDate/of 2024 1 31) 1 ChronoUnit/MONTHS)" => r#"#date "2024-02-29""#,
        "(.plus DayOfWeek/SUNDAY 1)" => "MONDAY";
    ".minus" "[t amount]" "[t n unit]" lazy = |call| added(call, -1),
        "A time, date, duration, weekday or month earlier by a period, a duration or `n` units."
        "(.minus (LocalDate/of 2024 3 31) (Period/ofMonths 1))" => r#"#date "2024-02-29""#;
};

const HOUR: i64 = 3_600_000_000;

fn duration_between(call: &mut Call<'_>) -> Res {
    super::order(call)?;
    let micros = part::exact(call.arg(0), call.arg(1));
    made_duration(call, micros)
}

fn made_duration(call: &mut Call<'_>, micros: Option<i64>) -> Res {
    match micros {
        Some(micros) => call.temporal(Temporal::Duration(micros)),
        None => Err(call.invalid("the result is longer than 292,000 years, or lies between times of two kinds")),
    }
}

fn duration_parse(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    let found = read_duration(&text)
        .ok_or_else(|| call.invalid(format_args!("not a duration such as PT1H30M: {}", show::quoted(&text))))?;
    call.temporal(Temporal::Duration(found))
}

fn duration_of(call: &mut Call<'_>) -> Res {
    let scale = match call.name {
        "Duration/ofDays" => 24 * HOUR,
        "Duration/ofHours" => HOUR,
        "Duration/ofMinutes" => 60_000_000,
        "Duration/ofSeconds" => 1_000_000,
        _ => 1_000,
    };
    let micros = call.int(0)?.checked_mul(scale);
    made_duration(call, micros)
}

/// The duration in argument 0 in microseconds.
fn micros(call: &Call<'_>) -> Res<i64> {
    part::duration(call.arg(0)).ok_or_else(|| call.wrong("a duration", call.arg(0)))
}

fn whole(call: &Call<'_>, unit: i64) -> Res {
    // Towards the past where the duration does not divide, as in Java.
    micros(call).map(|micros| {
        Value::Int(if unit <= 1_000_000 {
            micros.div_euclid(unit)
        } else {
            micros.div_euclid(1_000_000) / (unit / 1_000_000)
        })
    })
}

fn to_seconds(call: &mut Call<'_>) -> Res {
    whole(call, 1_000_000)
}

fn to_hours(call: &mut Call<'_>) -> Res {
    whole(call, HOUR)
}

/// The period in an argument.
fn period(call: &Call<'_>, index: usize) -> Option<Period> {
    if let Temporal::Period(period) = part::temporal(call.arg(index))? { Some(*period) } else { None }
}

fn is_negative(call: &mut Call<'_>) -> Res {
    match period(call, 0) {
        Some(period) => Ok(Value::Bool(period.years < 0 || period.months < 0 || period.days < 0)),
        None => micros(call).map(|micros| Value::Bool(micros < 0)),
    }
}

fn is_zero(call: &mut Call<'_>) -> Res {
    match period(call, 0) {
        Some(period) => Ok(Value::Bool(period == Period::default())),
        None => micros(call).map(|micros| Value::Bool(micros == 0)),
    }
}

fn negated(call: &mut Call<'_>) -> Res {
    if let Some(Period { years, months, days }) = period(call, 0) {
        let flipped =
            Period { years: years.saturating_neg(), months: months.saturating_neg(), days: days.saturating_neg() };
        return call.temporal(Temporal::Period(flipped));
    }
    let micros = micros(call)?.checked_neg();
    made_duration(call, micros)
}

fn absolute(call: &mut Call<'_>) -> Res {
    let micros = micros(call)?.checked_abs();
    made_duration(call, micros)
}

fn multiplied(call: &mut Call<'_>) -> Res {
    let micros = micros(call)?.checked_mul(call.int(1)?);
    made_duration(call, micros)
}

fn period_between(call: &mut Call<'_>) -> Res {
    let from = date::date(call)?;
    let to = part::date(call.arg(1)).ok_or_else(|| call.wrong("two dates", call.arg(1)))?;
    call.temporal(Temporal::Period(between(from, to)))
}

/// Years, months and days as Java counts them: days beyond the last whole month.
fn between(from: Date, to: Date) -> Period {
    let months = part::months(from, to);
    // The day of the month stays, or is the last of a shorter month.
    let reached = jiff::Span::new().try_months(months).ok().and_then(|way| from.checked_add(way).ok()).unwrap_or(to);
    let days = epoch_day(to) - epoch_day(reached);
    let small = |n: i64| i32::try_from(n).unwrap_or(0);
    Period { years: small(months / 12), months: small(months % 12), days: small(days) }
}

fn period_parse(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    match text.as_str().parse() {
        Ok(period) => call.temporal(Temporal::Period(period)),
        Err(_) => Err(call.invalid(format_args!("not a period such as P1Y2M3D: {}", show::quoted(&text)))),
    }
}

fn period_of(call: &mut Call<'_>) -> Res {
    let (years, months, days) = (small(call, call.int(0)?)?, small(call, call.int(1)?)?, small(call, call.int(2)?)?);
    call.temporal(Temporal::Period(Period { years, months, days }))
}

fn small(call: &Call<'_>, n: i64) -> Res<i32> {
    i32::try_from(n).map_err(|_| call.invalid(format_args!("{n} is beyond 32 bits")))
}

fn period_of_unit(call: &mut Call<'_>) -> Res {
    let given = call.int(0)?;
    let n = small(call, if call.name.ends_with("Weeks") { given.saturating_mul(7) } else { given })?;
    let none = Period::default();
    let made = match call.name {
        "Period/ofYears" => Period { years: n, ..none },
        "Period/ofMonths" => Period { months: n, ..none },
        _ => Period { days: n, ..none },
    };
    call.temporal(Temporal::Period(made))
}

fn of_period(call: &Call<'_>, part: fn(Period) -> i64) -> Res {
    period(call, 0).map(|period| Value::Int(part(period))).ok_or_else(|| call.wrong("a period", call.arg(0)))
}

/// The unit in an argument, by its place in the list of units.
pub(super) fn unit(call: &Call<'_>, index: usize) -> Res<u8> {
    match call.arg(index) {
        Value::Temporal(temporal) if let Temporal::Unit(unit) = &**temporal => Ok(*unit),
        other => Err(call.wrong("a unit such as ChronoUnit/DAYS", other)),
    }
}

fn measure(unit: u8) -> Measure {
    UNITS.get(usize::from(unit)).map_or(Measure::Days(1), |unit| unit.measure)
}

fn until(call: &mut Call<'_>) -> Res {
    if call.len() == 2 {
        return period_between(call);
    }
    counted(call, unit(call, 2)?, 0, 1)
}

/// Whole units from one argument to another.
fn counted(call: &Call<'_>, unit: u8, from: usize, to: usize) -> Res {
    let (a, b) = (call.arg(from), call.arg(to));
    let count = match measure(unit) {
        Measure::Exact(micros) => part::exact(a, b).map(|span| span / micros),
        Measure::Days(days) => whole_days(a, b).map(|span| span / days),
        Measure::Months(months) => part::dates(a, b).map(|(a, b)| part::months(a, b) / months),
    };
    count.map(Value::Int).ok_or_else(|| no_count(call, unit, a, b))
}

/// Points in time have days of 24 hours.
fn whole_days(a: &Value, b: &Value) -> Option<i64> {
    match (a, b) {
        (Value::Instant(_), _) | (_, Value::Instant(_)) => part::exact(a, b).map(|span| span / super::DAY_MICROS),
        _ => part::dates(a, b).map(|(a, b)| epoch_day(b) - epoch_day(a)),
    }
}

fn no_count(call: &Call<'_>, unit: u8, a: &Value, b: &Value) -> Box<Signal> {
    let name = UNITS.get(usize::from(unit)).map_or("", |unit| unit.name);
    let advice = match (a, b) {
        (Value::Instant(_), Value::Instant(_)) => "; (.atZone inst (ZoneId/of \"UTC\")) has days and months",
        (Value::Str(_), _) | (_, Value::Str(_)) => "; (LocalDate/parse s) reads a date",
        _ => "; both must be of one kind",
    };
    call.mismatch(format_args!("cannot count {name} between {} and {}{advice}", a.kind(), b.kind()))
}

fn dates_until(call: &mut Call<'_>) -> Res {
    let from = date::date(call)?;
    let to = part::date(call.arg(1)).ok_or_else(|| call.wrong("two dates", call.arg(1)))?;
    if epoch_day(to) < epoch_day(from) {
        return Err(call.invalid(format_args!("{to} is before {from}")));
    }
    let step = if call.len() == 2 {
        Period { days: 1, ..Period::default() }
    } else {
        period(call, 2).ok_or_else(|| call.wrong("a period as step", call.arg(2)))?
    };
    let (months, days) = (i64::from(step.years) * 12 + i64::from(step.months), i64::from(step.days));
    if months < 0 || days < 0 || months + days == 0 {
        return Err(call.invalid(format_args!("the step must go forward, got {step}")));
    }
    let mut dates = Vec::new();
    for n in 0.. {
        // From the first date each time: the 31st of January, the 29th of February, the 31st of March.
        let way = jiff::Span::new().try_months(months * n).ok().and_then(|way| from.checked_add(way).ok());
        let date = way.and_then(|date| from_epoch_day(epoch_day(date) + days * n)).filter(|date| *date < to);
        let Some(date) = date else { break };
        call.push(&mut dates, Value::Date(date))?;
    }
    call.charge(dates.len())?;
    call.paid_vector(dates)
}

fn added(call: &mut Call<'_>, sign: i64) -> Res {
    if call.len() == 3 {
        let (count, by) = (call.int(1)?.checked_mul(sign), measure(unit(call, 2)?));
        return shifted(call, count, by, "a date or time that has such units");
    }
    if let Some(period) = period(call, 1) {
        return by_period(call, period, sign);
    }
    if let (Value::Temporal(first), Value::Int(n)) = (call.arg(0), call.arg(1))
        && let Some(turned) = turned(first, i128::from(*n) * i128::from(sign))
    {
        return call.temporal(turned);
    }
    match call.arg(1) {
        Value::Temporal(amount) if let Temporal::Duration(micros) = &**amount => {
            let count = micros.checked_mul(sign);
            shifted(call, count, Measure::Exact(1), "a time, an instant or a duration")
        }
        other => Err(call.wrong("a period, a duration, or a number and a unit", other)),
    }
}

/// A weekday or month `by` places on.
fn turned(of: &Temporal, by: i128) -> Option<Temporal> {
    let turn = |place: u8, count: i128| u8::try_from((i128::from(place) - 1 + by).rem_euclid(count) + 1).ok();
    match of {
        Temporal::DayOfWeek(day) => turn(*day, 7).map(Temporal::DayOfWeek),
        Temporal::Month(month) => turn(*month, 12).map(Temporal::Month),
        _ => None,
    }
}

/// First the months, then the days, as in Java.
fn by_period(call: &mut Call<'_>, by: Period, sign: i64) -> Res {
    let months = (i64::from(by.years) * 12 + i64::from(by.months)) * sign;
    if months != 0 || part::date(call.arg(0)).is_none() {
        let moved = shifted(call, Some(months), Measure::Months(1), "a date")?;
        if let Some(first) = call.args.first_mut() {
            *first = moved;
        }
    }
    match part::moved(call.arg(0), Some(i64::from(by.days) * sign), Measure::Days(1)) {
        Moved::To(value) => Ok(value),
        Moved::Refused if by.days == 0 => Ok(call.take(0)),
        _ => shifted(call, Some(i64::from(by.days) * sign), Measure::Days(1), "a date"),
    }
}
