//! Durations and periods: durations, periods, units, and the time between two times.

use jiff::civil::Date;

use super::date::{date, shifted};
use super::part;
use crate::calendar::{Amount, DAY_MICROS, Measure, UNITS, after_months, epoch_day, from_epoch_day, read_duration};
use crate::error::{Res, Signal};
use crate::stdlib::{Call, Family, rows};
use crate::value::{Period, Temporal, Value, moment};

pub(crate) const FAMILY: Family = rows! {
    "Durations and periods";
    "Duration/between" "[a b]" lazy = duration_between,
        "The exact time from `a` to `b`: instants, dates, date-times or times of day."
        "(Duration/between (java.util.Date. 0) (java.util.Date. 90))" => r#"#duration "PT1M30S""#,
        "(.toMillis (Duration/between (java.util.Date. 0) (java.util.Date. 2)))" => "2000";
    "Duration/parse" "[s]" lazy
        = |call| call.temporal(Temporal::Duration(call.parsed("a duration such as PT1H30M", read_duration)?)),
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
    ".toMillis" "[duration]" lazy = whole,
        "A duration in milliseconds." "(.toMillis (Duration/ofSeconds 2))" => "2000";
    ".toSeconds" "[duration]" lazy = whole,
        "The whole seconds of a duration." "(.toSeconds (Duration/ofMillis 2500))" => "2";
    ".getSeconds" "[duration]" lazy = whole,
        "The whole seconds of a duration." "(.getSeconds (Duration/ofMinutes 2))" => "120";
    ".toMinutes" "[duration]" lazy = whole,
        "The whole minutes of a duration." "(.toMinutes (Duration/ofHours 2))" => "120";
    ".toHours" "[duration]" lazy = whole,
        "The whole hours of a duration." "(.toHours (Duration/ofDays 2))" => "48";
    ".toDays" "[duration]" lazy = whole,
        "The whole days of a duration." "(.toDays (Duration/ofHours 25))" => "1";
    ".toHoursPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / 3_600_000_000 % 24)),
        "The hours of a duration without its days." "(.toHoursPart (Duration/ofHours 25))" => "1";
    ".toMinutesPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / 60_000_000 % 60)),
        "The minutes of a duration without its hours." "(.toMinutesPart (Duration/ofMinutes 90))" => "30";
    ".toSecondsPart" "[duration]" lazy = |call| micros(call).map(|micros| Value::Int(micros / 1_000_000 % 60)),
        "The seconds of a duration without its minutes." "(.toSecondsPart (Duration/ofSeconds 90))" => "30";
    ".isNegative" "[amount]" lazy = |call| Ok(Value::Bool(parts(call)?.iter().any(|part| *part < 0))),
        "Whether a duration is below zero, or any part of a period." "(.isNegative (Duration/ofHours -1))" => "true";
    ".isZero" "[amount]" lazy = |call| Ok(Value::Bool(parts(call)? == [0; 3])),
        "Whether a duration or period has no length." "(.isZero (Period/ofDays 0))" => "true";
    ".negated" "[amount]" lazy = negated,
        "A duration or period in the other direction." "(.negated (Duration/ofHours 1))" => r#"#duration "PT-1H""#;
    ".abs" "[duration]" lazy = |call| call.duration(micros(call)?.checked_abs()),
        "A duration without its sign." "(.abs (Duration/ofHours -1))" => r#"#duration "PT1H""#;
    ".multipliedBy" "[duration n]" lazy = |call| call.duration(micros(call)?.checked_mul(call.int(1)?)),
        "A duration `n` times." "(.multipliedBy (Duration/ofMinutes 40) 3)" => r#"#duration "PT2H""#;
    "Period/between" "[a b]" lazy = period_between,
        "Years, months and days from date `a` to `b`."
        "(Period/between (LocalDate/of 2020 1 31) (LocalDate/of 2024 3 1))" => r#"#period "P4Y1M1D""#;
    "Period/parse" "[s]" lazy
        = |call| call.temporal(Temporal::Period(call.parsed("a period such as P1Y2M3D", |text| text.parse().ok())?)),
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
        "The months of a period, without its years." "(.getMonths (Period/of 1 2 3))" => "2";
    ".getDays" "[period]" lazy = |call| of_period(call, |period| period.days.into()),
        "The days of a period, without its months." "(.getDays (Period/of 1 2 3))" => "3";
    ".toTotalMonths" "[period]" lazy = |call| of_period(call, Period::all_months),
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

impl Call<'_> {
    /// A duration of this many microseconds.
    fn duration(&mut self, micros: Option<i64>) -> Res {
        const NONE: &str = "the result is longer than 292,000 years, or between times of different kinds";
        let micros = micros.ok_or_else(|| self.invalid(NONE))?;
        self.temporal(Temporal::Duration(micros))
    }
}

fn duration_between(call: &mut Call<'_>) -> Res {
    super::order(call)?;
    call.duration(moment(call.arg(0)).zip(moment(call.arg(1))).and_then(|(a, b)| a.exact(b)))
}

fn duration_of(call: &mut Call<'_>) -> Res {
    let n = call.int(0)?;
    call.duration(named_unit(call).exact().and_then(|unit| n.checked_mul(unit)))
}

/// The unit with which the name of the call ends: `Duration/ofHours`, `.plusDays`.
pub(super) fn named_unit(call: &Call<'_>) -> Measure {
    UNITS.iter().find(|unit| call.name.ends_with(unit.text)).map_or(Measure::Days(1), |unit| unit.measure)
}

/// The duration in argument 0 in microseconds.
fn micros(call: &Call<'_>) -> Res<i64> {
    call.want(0, "a duration", part::duration)
}

/// The duration in whole units of the name.
fn whole(call: &mut Call<'_>) -> Res {
    let (micros, unit) = (micros(call)?, named_unit(call).exact().unwrap_or(DAY_MICROS));
    // Rounded down where the duration does not divide evenly, as in Java.
    Ok(Value::Int(if unit <= 1_000_000 {
        micros.div_euclid(unit)
    } else {
        micros.div_euclid(1_000_000) / (unit / 1_000_000)
    }))
}

/// The period in an argument.
fn period(call: &Call<'_>, index: usize) -> Option<Period> {
    if let Temporal::Period(period) = part::temporal(call.arg(index))? { Some(*period) } else { None }
}

/// The numbers of a period or duration.
fn parts(call: &Call<'_>) -> Res<[i64; 3]> {
    match period(call, 0) {
        Some(Period { years, months, days }) => Ok([years, months, days].map(i64::from)),
        None => Ok([micros(call)?, 0, 0]),
    }
}

fn negated(call: &mut Call<'_>) -> Res {
    let Some(period) = period(call, 0) else { return call.duration(micros(call)?.checked_neg()) };
    call.temporal(Temporal::Period(period.negated()))
}

fn two_dates(call: &Call<'_>) -> Res<(Date, Date)> {
    Ok((date(call)?, call.want(1, "two dates", part::date)?))
}

fn period_between(call: &mut Call<'_>) -> Res {
    let (from, to) = two_dates(call)?;
    call.temporal(Temporal::Period(Period::between(from, to)))
}

fn period_of(call: &mut Call<'_>) -> Res {
    let (years, months, days) = (small(call, call.int(0)?)?, small(call, call.int(1)?)?, small(call, call.int(2)?)?);
    call.temporal(Temporal::Period(Period { years, months, days }))
}

fn small(call: &Call<'_>, n: i64) -> Res<i32> {
    i32::try_from(n).map_err(|_| call.invalid(format_args!("{n} is beyond 32 bits")))
}

fn period_of_unit(call: &mut Call<'_>) -> Res {
    let (given, none) = (call.int(0)?, Period::default());
    let made = match named_unit(call) {
        Measure::Months(12) => Period { years: small(call, given)?, ..none },
        Measure::Months(_) => Period { months: small(call, given)?, ..none },
        Measure::Days(each) | Measure::Exact(each) => Period { days: small(call, given.saturating_mul(each))?, ..none },
    };
    call.temporal(Temporal::Period(made))
}

fn of_period(call: &Call<'_>, part: fn(Period) -> i64) -> Res {
    period(call, 0).map(|period| Value::Int(part(period))).ok_or_else(|| call.wrong("a period", call.arg(0)))
}

/// The unit in an argument.
pub(super) fn unit(call: &Call<'_>, index: usize) -> Res<&'static Amount> {
    call.want(index, "a unit such as ChronoUnit/DAYS", |value| match part::temporal(value)? {
        Temporal::Unit(unit) => UNITS.get(usize::from(*unit)),
        _ => None,
    })
}

fn until(call: &mut Call<'_>) -> Res {
    if call.len() == 2 { period_between(call) } else { counted(call, unit(call, 2)?, 0, 1) }
}

/// Whole units from one argument to another.
fn counted(call: &Call<'_>, unit: &Amount, from: usize, to: usize) -> Res {
    let (a, b) = (call.arg(from), call.arg(to));
    let count = moment(a).zip(moment(b)).and_then(|(a, b)| a.count(b, unit.measure));
    count.map(Value::Int).ok_or_else(|| no_count(call, unit.name, a, b))
}

fn no_count(call: &Call<'_>, name: &str, a: &Value, b: &Value) -> Box<Signal> {
    let advice = match (a, b) {
        (Value::Instant(_), Value::Instant(_)) => "; (.atZone inst (ZoneId/of \"UTC\")) has days and months",
        (Value::Str(_), _) | (_, Value::Str(_)) => "; (LocalDate/parse s) reads a date",
        _ => "; both must be of the same kind",
    };
    call.mismatch(format_args!("cannot count {name} between {} and {}{advice}", a.kind(), b.kind()))
}

fn dates_until(call: &mut Call<'_>) -> Res {
    let (from, to) = two_dates(call)?;
    if to < from {
        return Err(call.invalid(format_args!("{to} is before {from}")));
    }
    let step = if call.len() == 2 {
        Period { days: 1, ..Period::default() }
    } else {
        period(call, 2).ok_or_else(|| call.wrong("a period as step", call.arg(2)))?
    };
    let (months, days) = (step.all_months(), i64::from(step.days));
    if months < 0 || days < 0 || months + days == 0 {
        return Err(call.invalid(format_args!("the step must go forward, got {step}")));
    }
    let mut dates = Vec::new();
    for n in 0.. {
        // From the first date each time: the 31st of January, the 29th of February, the 31st of March.
        let date = after_months(from, months * n)
            .and_then(|date| from_epoch_day(epoch_day(date) + days * n))
            .filter(|date| *date < to);
        let Some(date) = date else { break };
        call.push(&mut dates, Value::Date(date))?;
    }
    call.charge(dates.len())?;
    call.paid_vector(dates)
}

fn added(call: &mut Call<'_>, sign: i64) -> Res {
    if call.len() == 3 {
        let (count, by) = (call.int(1)?.checked_mul(sign), unit(call, 2)?.measure);
        return shifted(call, count, by, "a date or time that has such units");
    }
    if let Some(period) = period(call, 1) {
        return by_period(call, period, sign);
    }
    if let (Value::Temporal(first), Value::Int(n)) = (call.arg(0), call.arg(1))
        && let Some(turned) = first.turned(i128::from(*n) * i128::from(sign))
    {
        return call.temporal(turned);
    }
    let Some(Temporal::Duration(micros)) = part::temporal(call.arg(1)) else {
        return Err(call.wrong("a period, a duration, or a number and a unit", call.arg(1)));
    };
    let count = micros.checked_mul(sign);
    shifted(call, count, Measure::Exact(1), "a time, an instant or a duration")
}

/// First the months, then the days, as in Java.
fn by_period(call: &mut Call<'_>, by: Period, sign: i64) -> Res {
    let (months, days) = (by.all_months() * sign, Some(i64::from(by.days) * sign));
    if months != 0 || part::date(call.arg(0)).is_none() {
        let moved = shifted(call, Some(months), Measure::Months(1), "a date")?;
        call.set(0, moved);
    }
    if by.days == 0 && part::moved(call.arg(0), days, Measure::Days(1)).is_none() {
        return Ok(call.take(0));
    }
    shifted(call, days, Measure::Days(1), "a date")
}
