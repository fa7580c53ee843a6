//! Dates, points in time and durations; a duration is an integer of milliseconds.

mod parse;

use jiff::civil::Date;

use crate::error::{Res, Signal, argument_error};
use crate::stdlib::{Builtin, Call, Family, Force, Run};
use crate::value::Value;

#[cfg(test)]
mod tests;

/// Arguments are looked at as they are: a lazily realised sequence is no time.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };

const DAY_MILLIS: i64 = 86_400_000;

pub(crate) const FAMILY: Family = Family {
    title: "Dates and times",
    rows: &[
        Builtin {
            name: "java.util.Date.",
            params: &["[]", "[x]"],
            doc: "The current point in time; or that of an integer (seconds since 1970 below 10^12, else milliseconds) or text (ISO 8601 or RFC 2822).",
            examples: &[
                ("(java.util.Date. 86400)", r#""1970-01-02T00:00:00Z""#),
                (r#"(java.util.Date. "Tue, 5 Mar 2024 07:15:00 +0200")"#, r#""2024-03-05T05:15:00Z""#),
            ],
            run: Run::Plain(new_date),
            ..SCALAR
        },
        Builtin {
            name: "Instant/parse",
            params: &["[s]"],
            doc: "The point in time of an ISO 8601 text with offset or `Z`.",
            examples: &[(r#"(Instant/parse "2024-03-09T10:00:00Z")"#, r#""2024-03-09T10:00:00Z""#)],
            run: Run::Plain(instant_parse),
            ..SCALAR
        },
        Builtin {
            name: "Instant/now",
            params: &["[]"],
            doc: "The current point in time.",
            examples: &[("(inst? (Instant/now))", "true")],
            run: Run::Plain(instant_now),
            ..SCALAR
        },
        Builtin {
            name: "LocalDate/parse",
            params: &["[s]"],
            doc: "The date of a text `YYYY-MM-DD`.",
            examples: &[(r#"(LocalDate/parse "2024-02-29")"#, r#""2024-02-29""#)],
            run: Run::Plain(date_parse),
            ..SCALAR
        },
        Builtin {
            name: "LocalDate/of",
            params: &["[year month day]"],
            doc: "The date of three integers.",
            examples: &[("(LocalDate/of 2024 2 29)", r#""2024-02-29""#)],
            run: Run::Plain(date_of),
            ..SCALAR
        },
        Builtin {
            name: "LocalDate/now",
            params: &["[]"],
            doc: "The current date in UTC.",
            examples: &[("(type (LocalDate/now))", ":date")],
            run: Run::Plain(date_now),
            ..SCALAR
        },
        Builtin {
            name: "System/currentTimeMillis",
            params: &["[]"],
            doc: "Milliseconds since 1970.",
            examples: &[("(pos? (System/currentTimeMillis))", "true")],
            run: Run::Plain(current_millis),
            ..SCALAR
        },
        Builtin {
            name: "inst-ms",
            params: &["[inst]"],
            doc: "Milliseconds from 1970 to a point in time.",
            examples: &[("(inst-ms (java.util.Date. 5))", "5000")],
            run: Run::Plain(get_time),
            ..SCALAR
        },
        Builtin {
            name: ".getTime",
            params: &["[inst]"],
            doc: "Milliseconds from 1970 to a point in time.",
            examples: &[("(.getTime (java.util.Date. 86400))", "86400000")],
            run: Run::Plain(get_time),
            ..SCALAR
        },
        Builtin {
            name: ".toEpochMilli",
            params: &["[inst]"],
            doc: "Milliseconds from 1970 to a point in time.",
            examples: &[("(.toEpochMilli (java.util.Date. 1))", "1000")],
            run: Run::Plain(get_time),
            ..SCALAR
        },
        Builtin {
            name: ".isBefore",
            params: &["[a b]"],
            doc: "Whether date or instant `a` is before `b`.",
            examples: &[(r#"(.isBefore (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))"#, "true")],
            run: Run::Plain(is_before),
            ..SCALAR
        },
        Builtin {
            name: ".isAfter",
            params: &["[a b]"],
            doc: "Whether date or instant `a` is after `b`.",
            examples: &[(r#"(.isAfter (LocalDate/parse "2024-01-01") (LocalDate/parse "2024-01-02"))"#, "false")],
            run: Run::Plain(is_after),
            ..SCALAR
        },
        Builtin {
            name: ".plusDays",
            params: &["[d n]"],
            doc: "The date or instant `n` days later.",
            examples: &[(r#"(.plusDays (LocalDate/parse "2024-02-28") 2)"#, r#""2024-03-01""#)],
            run: Run::Plain(plus_days),
            ..SCALAR
        },
        Builtin {
            name: ".minusDays",
            params: &["[d n]"],
            doc: "The date or instant `n` days earlier.",
            examples: &[(r#"(.minusDays (LocalDate/parse "2024-03-01") 1)"#, r#""2024-02-29""#)],
            run: Run::Plain(minus_days),
            ..SCALAR
        },
        Builtin {
            name: ".plusMonths",
            params: &["[d n]"],
            doc: "The date `n` months later, at the latest the last day of the month.",
            examples: &[(r#"(.plusMonths (LocalDate/parse "2024-01-31") 1)"#, r#""2024-02-29""#)],
            run: Run::Plain(plus_months),
            ..SCALAR
        },
        Builtin {
            name: ".minusMonths",
            params: &["[d n]"],
            doc: "The date `n` months earlier, at the latest the last day of the month.",
            examples: &[(r#"(.minusMonths (LocalDate/parse "2024-03-31") 1)"#, r#""2024-02-29""#)],
            run: Run::Plain(minus_months),
            ..SCALAR
        },
        Builtin {
            name: ".plusYears",
            params: &["[d n]"],
            doc: "The date `n` years later, at the latest the last day of the month.",
            examples: &[(r#"(.plusYears (LocalDate/parse "2024-02-29") 1)"#, r#""2025-02-28""#)],
            run: Run::Plain(plus_years),
            ..SCALAR
        },
        Builtin {
            name: ".minusYears",
            params: &["[d n]"],
            doc: "The date `n` years earlier, at the latest the last day of the month.",
            examples: &[(r#"(.minusYears (LocalDate/parse "2024-03-09") 4)"#, r#""2020-03-09""#)],
            run: Run::Plain(minus_years),
            ..SCALAR
        },
        Builtin {
            name: ".toEpochDay",
            params: &["[d]"],
            doc: "Days from 1970-01-01 to a date.",
            examples: &[(r#"(.toEpochDay (LocalDate/parse "1970-01-11"))"#, "10")],
            run: Run::Plain(to_epoch_day),
            ..SCALAR
        },
        Builtin {
            name: ".getYear",
            params: &["[d]"],
            doc: "The year of a date.",
            examples: &[(r#"(.getYear (LocalDate/parse "2024-02-29"))"#, "2024")],
            run: Run::Plain(get_year),
            ..SCALAR
        },
        Builtin {
            name: ".getMonthValue",
            params: &["[d]"],
            doc: "The month of a date, 1 to 12.",
            examples: &[(r#"(.getMonthValue (LocalDate/parse "2024-02-29"))"#, "2")],
            run: Run::Plain(get_month),
            ..SCALAR
        },
        Builtin {
            name: ".getDayOfMonth",
            params: &["[d]"],
            doc: "The day of the month of a date.",
            examples: &[(r#"(.getDayOfMonth (LocalDate/parse "2024-02-29"))"#, "29")],
            run: Run::Plain(get_day),
            ..SCALAR
        },
        Builtin {
            name: "Duration/between",
            params: &["[a b]"],
            doc: "Milliseconds from instant or date `a` to `b`.",
            examples: &[("(Duration/between (java.util.Date. 0) (java.util.Date. 2))", "2000")],
            run: Run::Plain(between),
            ..SCALAR
        },
        Builtin {
            name: ".toMillis",
            params: &["[duration]"],
            doc: "A duration in milliseconds.",
            examples: &[("(.toMillis (Duration/between (java.util.Date. 0) (java.util.Date. 2)))", "2000")],
            run: Run::Plain(to_millis),
            ..SCALAR
        },
        Builtin {
            name: ".toDays",
            params: &["[duration]"],
            doc: "The whole days of a duration.",
            examples: &[("(.toDays (Duration/between (java.util.Date. 0) (java.util.Date. 90000)))", "1")],
            run: Run::Plain(to_days),
            ..SCALAR
        },
    ],
};

fn new_date(call: &mut Call<'_>) -> Res {
    match call.args.first() {
        None => instant_now(call),
        Some(Value::Int(n)) => {
            let scale = if n.unsigned_abs() < 1_000_000_000_000 { 1_000_000 } else { 1_000 };
            let n = *n;
            instant(call, n.checked_mul(scale))
        }
        Some(Value::Str(text)) => Ok(Value::Instant(parse::date_time(text, call.name)?)),
        Some(Value::Instant(_)) => Ok(call.take(0)),
        Some(other) => Err(call.wrong("an integer or a string", other)),
    }
}

/// An instant that the calendar can show.
fn instant(call: &Call<'_>, micros: Option<i64>) -> Res {
    match micros.filter(|micros| jiff::Timestamp::from_microsecond(*micros).is_ok()) {
        Some(micros) => Ok(Value::Instant(micros)),
        None => Err(out_of_range(call)),
    }
}

fn out_of_range(call: &Call<'_>) -> Box<Signal> {
    argument_error(format!("{}: the result is outside the years -9999 to 9999", call.name))
}

fn instant_now(call: &mut Call<'_>) -> Res {
    Ok(Value::Instant(call.cx.clock.now_micros()))
}

fn instant_parse(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    match parse::iso_instant(&text) {
        Some(micros) => Ok(Value::Instant(micros)),
        None => Err(parse::no_date_time(&text, call.name)),
    }
}

fn date_parse(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    match parse::iso_date(&text) {
        Some(date) => Ok(Value::Date(date)),
        None => Err(argument_error(format!("{}: not a YYYY-MM-DD date: '{}'", call.name, parse::shown(&text)))),
    }
}

fn date_of(call: &mut Call<'_>) -> Res {
    let (year, month, day) = (call.int(0)?, call.int(1)?, call.int(2)?);
    let date = match (i16::try_from(year), i8::try_from(month), i8::try_from(day)) {
        (Ok(year), Ok(month), Ok(day)) => Date::new(year, month, day).ok(),
        _ => None,
    };
    date.map(Value::Date).ok_or_else(|| argument_error(format!("{}: there is no date {year}-{month}-{day}", call.name)))
}

fn date_now(call: &mut Call<'_>) -> Res {
    let days = call.cx.clock.now_micros().div_euclid(DAY_MILLIS * 1_000);
    from_epoch_day(call, Some(days))
}

fn current_millis(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(call.cx.clock.now_micros().div_euclid(1_000)))
}

fn get_time(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Instant(micros) => Ok(Value::Int(micros.div_euclid(1_000))),
        other => Err(call.wrong("an instant", other)),
    }
}

fn is_before(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(order(call)?.is_lt()))
}

fn is_after(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(order(call)?.is_gt()))
}

fn order(call: &Call<'_>) -> Res<std::cmp::Ordering> {
    match (call.arg(0), call.arg(1)) {
        (Value::Date(a), Value::Date(b)) => Ok(a.cmp(b)),
        (Value::Instant(a), Value::Instant(b)) => Ok(a.cmp(b)),
        (Value::Date(_), other) => Err(call.wrong("two dates", other)),
        (Value::Instant(_), other) => Err(call.wrong("two instants", other)),
        (other, _) => Err(call.wrong("a date or instant", other)),
    }
}

fn plus_days(call: &mut Call<'_>) -> Res {
    let days = call.int(1)?;
    moved(call, Some(days))
}

fn minus_days(call: &mut Call<'_>) -> Res {
    let days = call.int(1)?.checked_neg();
    moved(call, days)
}

fn moved(call: &Call<'_>, days: Option<i64>) -> Res {
    match call.arg(0) {
        Value::Date(date) => from_epoch_day(call, days.and_then(|days| epoch_day(*date).checked_add(days))),
        Value::Instant(micros) => {
            instant(call, days.and_then(|days| days.checked_mul(DAY_MILLIS * 1_000)).and_then(|way| micros.checked_add(way)))
        }
        other => Err(call.wrong("a date or instant", other)),
    }
}

fn plus_months(call: &mut Call<'_>) -> Res {
    let months = call.int(1)?;
    moved_months(call, Some(months))
}

fn minus_months(call: &mut Call<'_>) -> Res {
    let months = call.int(1)?.checked_neg();
    moved_months(call, months)
}

fn plus_years(call: &mut Call<'_>) -> Res {
    let months = call.int(1)?.checked_mul(12);
    moved_months(call, months)
}

fn minus_years(call: &mut Call<'_>) -> Res {
    let months = call.int(1)?.checked_mul(-12);
    moved_months(call, months)
}

/// The day of the month stays, or is the last one of a shorter month.
fn moved_months(call: &Call<'_>, months: Option<i64>) -> Res {
    let date = date(call)?;
    let way = months.and_then(|months| jiff::Span::new().try_months(months).ok());
    way.and_then(|way| date.checked_add(way).ok()).map(Value::Date).ok_or_else(|| out_of_range(call))
}

fn from_epoch_day(call: &Call<'_>, days: Option<i64>) -> Res {
    let date = days.and_then(|days| jiff::ToSpan::days(0_i64).try_days(days).ok()).and_then(|way| EPOCH.checked_add(way).ok());
    date.map(Value::Date).ok_or_else(|| out_of_range(call))
}

const EPOCH: Date = Date::constant(1970, 1, 1);

fn epoch_day(date: Date) -> i64 {
    date.duration_since(EPOCH).as_hours() / 24
}

fn to_epoch_day(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(epoch_day(date(call)?)))
}

fn get_year(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(i64::from(date(call)?.year())))
}

fn get_month(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(i64::from(date(call)?.month())))
}

fn get_day(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(i64::from(date(call)?.day())))
}

fn date(call: &Call<'_>) -> Res<Date> {
    match call.arg(0) {
        Value::Date(date) => Ok(*date),
        other => Err(call.wrong("a date", other)),
    }
}

fn between(call: &mut Call<'_>) -> Res {
    order(call)?;
    Ok(Value::Int(match (call.arg(0), call.arg(1)) {
        (Value::Date(a), Value::Date(b)) => (epoch_day(*b) - epoch_day(*a)) * DAY_MILLIS,
        (Value::Instant(a), Value::Instant(b)) => (b - a).div_euclid(1_000),
        _ => 0,
    }))
}

fn to_millis(call: &mut Call<'_>) -> Res {
    call.int(0).map(Value::Int)
}

fn to_days(call: &mut Call<'_>) -> Res {
    call.int(0).map(|millis| Value::Int(millis / DAY_MILLIS))
}
