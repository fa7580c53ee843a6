//! Dates: creating, reading and changing them.

use jiff::civil::Date;

use super::amount::named_unit;
use super::names::{month, weekday};
use super::part;
use super::{formatter, out_of_range};
use crate::calendar::{Measure, epoch_day, from_epoch_day, read_date, read_year_month};
use crate::error::Res;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Temporal, Value, YearMonth};

pub(crate) const FAMILY: Family = rows! {
    "Dates and their parts";
    "LocalDate/parse" "[s]" "[s formatter]" lazy = date_parse,
        "The date of a text `YYYY-MM-DD`, or of one that fits a `DateTimeFormatter`."
        r#"(LocalDate/parse "2024-02-29")"# => r#"#date "2024-02-29""#,
        r#"(LocalDate/parse "29.02.2024" (DateTimeFormatter/ofPattern "dd.MM.yyyy"))"# => r#"#date "2024-02-29""#;
    "LocalDate/of" "[year month day]" lazy = date_of,
        "The date of a year, a month (1 to 12 or `Month/MAY`) and a day."
        "(LocalDate/of 2024 2 29)" => r#"#date "2024-02-29""#;
    "LocalDate/ofYearDay" "[year day]" lazy = of_year_day,
        "The date of a day of the year." "(LocalDate/ofYearDay 2024 60)" => r#"#date "2024-02-29""#;
    "LocalDate/ofEpochDay" "[n]" lazy
        = |call| from_epoch_day(call.int(0)?).map(Value::Date).ok_or_else(|| out_of_range(call)),
        "The date `n` days after 1970-01-01." "(LocalDate/ofEpochDay 31)" => r#"#date "1970-02-01""#;
    "LocalDate/now" "[]" "[zone]" lazy effect = |call| today(call).map(Value::Date),
        "The current date, in UTC without a zone." "(type (LocalDate/now))" => ":date";
    "YearMonth/parse" "[s]" "[s formatter]" lazy = month_parse,
        "The month of a text `YYYY-MM`, or of one that fits a `DateTimeFormatter`."
        r#"(YearMonth/parse "2024-02")"# => r#"#year-month "2024-02""#;
    "YearMonth/of" "[year month]" lazy = month_of,
        "A month of a year." "(str (YearMonth/of 2024 2))" => r#""2024-02""#;
    "YearMonth/from" "[d]" lazy = |call| call.temporal(Temporal::YearMonth(YearMonth::from(start(call)?))),
        "The month of a date." "(YearMonth/from (LocalDate/of 2024 2 29))" => r#"#year-month "2024-02""#;
    "YearMonth/now" "[]" "[zone]" lazy effect = |call| call.temporal(Temporal::YearMonth(YearMonth::from(today(call)?))),
        "The current month, in UTC without a zone." "(type (YearMonth/now))" => ":year-month";
    ".atDay" "[month day]" lazy = at_day,
        "The date of a day in a month." "(.atDay (YearMonth/of 2024 2) 29)" => r#"#date "2024-02-29""#;
    ".atEndOfMonth" "[month]" lazy = |call| start(call).map(|first| Value::Date(first.last_of_month())),
        "The last date of a month." "(.atEndOfMonth (YearMonth/of 2024 2))" => r#"#date "2024-02-29""#;
    "Year/isLeap" "[year]" lazy
        = |call| call.int(0).map(|year| Value::Bool(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))),
        "Whether a year, given as integer, has 366 days." "(Year/isLeap 2024)" => "true";
    ".toEpochDay" "[d]" lazy = |call| Ok(Value::Int(epoch_day(date(call)?))),
        "Days from 1970-01-01 to a date." r#"(.toEpochDay (LocalDate/parse "1970-01-11"))"# => "10";
    ".getYear" "[d]" lazy = |call| number(start(call)?.year()),
        "The year of a date, a month of a year or a date with time."
        r#"(.getYear (LocalDate/parse "2024-02-29"))"# => "2024";
    ".getMonthValue" "[d]" lazy = |call| number(start(call)?.month()),
        "The month of a date, 1 to 12." r#"(.getMonthValue (LocalDate/parse "2024-02-29"))"# => "2";
    ".getMonth" "[d]" lazy = |call| call.temporal(month(start(call)?)),
        "The month of a date by name: `Month/MAY`." r#"(.getMonth (LocalDate/parse "2024-05-01"))"# => "MAY";
    ".getDayOfMonth" "[d]" lazy = |call| number(date(call)?.day()),
        "The day of the month of a date." r#"(.getDayOfMonth (LocalDate/parse "2024-02-29"))"# => "29";
    ".getDayOfWeek" "[d]" lazy = |call| call.temporal(weekday(date(call)?)),
        "The weekday of a date: `DayOfWeek/MONDAY`; `.getValue` of it is 1 for Monday."
        r#"(.getDayOfWeek (LocalDate/parse "2024-02-29"))"# => "THURSDAY",
        r#"(.getValue (.getDayOfWeek (LocalDate/parse "2024-02-29")))"# => "4";
    ".getDayOfYear" "[d]" lazy = |call| number(date(call)?.day_of_year()),
        "The day of the year of a date, 1 to 366." r#"(.getDayOfYear (LocalDate/parse "2024-03-01"))"# => "61";
    ".lengthOfMonth" "[d]" lazy = |call| number(start(call)?.days_in_month()),
        "The days of the month of a date." r#"(.lengthOfMonth (LocalDate/parse "2024-02-01"))"# => "29";
    ".lengthOfYear" "[d]" lazy = |call| number(start(call)?.days_in_year()),
        "The days of the year of a date." r#"(.lengthOfYear (LocalDate/parse "2024-02-01"))"# => "366";
    ".isLeapYear" "[d]" lazy = |call| Ok(Value::Bool(start(call)?.in_leap_year())),
        "Whether the year of a date has 366 days." r#"(.isLeapYear (LocalDate/parse "1900-02-01"))"# => "false";
    ".get" "[x field]" lazy = iso_field,
        "A field of `IsoFields` of a date: `QUARTER_OF_YEAR`, `WEEK_OF_WEEK_BASED_YEAR`, `WEEK_BASED_YEAR`; of a map \
         or vector what `get` finds."
        r#"(.get (LocalDate/parse "2024-12-30") IsoFields/WEEK_OF_WEEK_BASED_YEAR)"# => "1";
    ".withDayOfMonth" "[d day]" lazy = |call| call.redated(date(call).and(call.int(1))?, with_day),
        "The date with another day of the month."
        "(.withDayOfMonth (LocalDate/of 2024 2 29) 1)" => r#"#date "2024-02-01""#;
    ".withDayOfYear" "[d day]" lazy = |call| call.redated(date(call).and(call.int(1))?, day_of_year),
        "The date with another day of the year."
        "(.withDayOfYear (LocalDate/of 2024 2 29) 366)" => r#"#date "2024-12-31""#;
    ".withMonth" "[d month]" lazy = |call| call.redated(start(call).and(month_number(call, 1))?, with_month),
        "The date in another month, at the latest on its last day."
        "(.withMonth (LocalDate/of 2024 1 31) 2)" => r#"#date "2024-02-29""#;
    ".withYear" "[d year]" lazy = |call| call.redated(start(call).and(call.int(1))?, with_year),
        "The date in another year, at the latest on the last day of the month."
        "(.withYear (LocalDate/of 2024 2 29) 2025)" => r#"#date "2025-02-28""#;
    ".plusDays" "[d n]" lazy = step,
        "The date, time or instant `n` days later."
        r#"(.plusDays (LocalDate/parse "2024-02-28") 2)"# => r#"#date "2024-03-01""#;
    ".minusDays" "[d n]" lazy = step,
        "The date, time or instant `n` days earlier."
        r#"(.minusDays (LocalDate/parse "2024-03-01") 1)"# => r#"#date "2024-02-29""#;
    ".plusWeeks" "[d n]" lazy = step,
        "The date or time `n` weeks later." "(.plusWeeks (LocalDate/of 2024 2 28) 2)" => r#"#date "2024-03-13""#;
    ".minusWeeks" "[d n]" lazy = step,
        "The date or time `n` weeks earlier." "(.minusWeeks (LocalDate/of 2024 3 1) 1)" => r#"#date "2024-02-23""#;
    ".plusMonths" "[d n]" lazy = step,
        "The date `n` months later, at the latest the last day of the month."
        r#"(.plusMonths (LocalDate/parse "2024-01-31") 1)"# => r#"#date "2024-02-29""#;
    ".minusMonths" "[d n]" lazy = step,
        "The date `n` months earlier, at the latest the last day of the month."
        r#"(.minusMonths (LocalDate/parse "2024-03-31") 1)"# => r#"#date "2024-02-29""#;
    ".plusYears" "[d n]" lazy = step,
        "The date `n` years later, at the latest the last day of the month."
        r#"(.plusYears (LocalDate/parse "2024-02-29") 1)"# => r#"#date "2025-02-28""#;
    ".minusYears" "[d n]" lazy = step,
        "The date `n` years earlier, at the latest the last day of the month."
        r#"(.minusYears (LocalDate/parse "2024-03-09") 4)"# => r#"#date "2020-03-09""#;
};

fn date_parse(call: &mut Call<'_>) -> Res {
    let date = formatter::parsed(call, read_date, "a YYYY-MM-DD date", "d/M/yyyy", |found| {
        found.date().ok_or(("date", "yyyy-MM-dd"))
    })?;
    Ok(Value::Date(date))
}

fn date_of(call: &mut Call<'_>) -> Res {
    let (year, month, day) = (call.int(0)?, month_number(call, 1)?, call.int(2)?);
    civil(year, month, day).map(Value::Date).ok_or_else(|| no_date(call, &format!("{year}-{month}-{day}")))
}

fn no_date(call: &Call<'_>, what: &str) -> Box<crate::error::Signal> {
    call.invalid(format_args!("there is no date {what}"))
}

/// A month as 1 to 12 or by its name.
pub(super) fn month_number(call: &Call<'_>, index: usize) -> Res<i64> {
    match part::temporal(call.arg(index)) {
        Some(Temporal::Month(month)) => Ok(i64::from(*month)),
        _ => call.int(index),
    }
}

pub(super) fn civil(year: i64, month: i64, day: i64) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn day_of_year(date: Date, day: i64) -> Option<Date> {
    date.with().day_of_year(day.try_into().ok()?).build().ok()
}

fn of_year_day(call: &mut Call<'_>) -> Res {
    let (year, day) = (call.int(0)?, call.int(1)?);
    let date = civil(year, 1, 1).and_then(|first| day_of_year(first, day));
    date.map(Value::Date).ok_or_else(|| no_date(call, &format!("{day} days into {year}")))
}

/// The current date in UTC, or in the zone of argument 0.
fn today(call: &Call<'_>) -> Res<Date> {
    super::clock::now(call).map(|now| now.date())
}

fn month_parse(call: &mut Call<'_>) -> Res {
    let month = formatter::parsed(call, read_year_month, "a YYYY-MM month", "M/yyyy", |found| {
        found.month().ok_or(("month", "yyyy-MM"))
    })?;
    call.temporal(Temporal::YearMonth(month))
}

fn month_of(call: &mut Call<'_>) -> Res {
    let (year, month) = (call.int(0)?, month_number(call, 1)?);
    let found = civil(year, month, 1);
    let found = found.ok_or_else(|| call.invalid(format_args!("there is no month {year}-{month}")))?;
    call.temporal(Temporal::YearMonth(found.into()))
}

fn at_day(call: &mut Call<'_>) -> Res {
    let (first, day) = (start(call)?, call.int(1)?);
    let date = civil(first.year().into(), first.month().into(), day);
    date.map(Value::Date).ok_or_else(|| no_date(call, &format!("{}-{}-{day}", first.year(), first.month())))
}

fn iso_field(call: &mut Call<'_>) -> Res {
    // Java's maps and lists have the method, too.
    if matches!(call.arg(0), Value::Map(_) | Value::Vector(_) | Value::LazySeq(_)) {
        return crate::stdlib::map::get(call);
    }
    let day = date(call)?;
    match part::constant(call.arg(1)) {
        "IsoFields/QUARTER_OF_YEAR" => number((day.month() + 2) / 3),
        "IsoFields/WEEK_OF_WEEK_BASED_YEAR" => number(day.iso_week_date().week()),
        "IsoFields/WEEK_BASED_YEAR" => number(day.iso_week_date().year()),
        _ => {
            let shown = crate::value::shown(call.arg(1));
            Err(call.invalid(format_args!(
                "expected IsoFields/QUARTER_OF_YEAR, IsoFields/WEEK_OF_WEEK_BASED_YEAR or IsoFields/WEEK_BASED_YEAR, \
                 got {shown}"
            )))
        }
    }
}

fn number(n: impl Into<i64>) -> Res {
    Ok(Value::Int(n.into()))
}

/// The date in argument 0.
pub(super) fn date(call: &Call<'_>) -> Res<Date> {
    call.want(0, "a date", part::date)
}

/// The date in argument 0, or the first of a month.
fn start(call: &Call<'_>) -> Res<Date> {
    call.want(0, "a date", part::month_start)
}

fn with_day(date: Date, day: i64) -> Option<Date> {
    date.with().day(day.try_into().ok()?).build().ok()
}

fn with_month(date: Date, month: i64) -> Option<Date> {
    within(civil(date.year().into(), month, 1)?, date)
}

fn with_year(date: Date, year: i64) -> Option<Date> {
    within(civil(year, date.month().into(), 1)?, date)
}

/// The day of `date` in the month that starts with `first`, or the last day of that month.
fn within(first: Date, date: Date) -> Option<Date> {
    with_day(first, date.day().min(first.days_in_month()).into())
}

impl Call<'_> {
    /// Argument 0 with its date changed by `change`.
    fn redated(&mut self, to: i64, change: fn(Date, i64) -> Option<Date>) -> Res {
        self.allocate(96)?;
        part::changed(self.arg(0), |moment| moment.with_date(|date| change(date, to))).ok_or_else(|| {
            self.invalid(format_args!("there is no such date: {} with {to}", crate::value::display_text(self.arg(0))))
        })
    }
}

/// `.plusDays`, `.minusMonths`, `.plusHours` and the like, by the name of the call.
pub(super) fn step(call: &mut Call<'_>) -> Res {
    let (sign, by) = (if call.name.starts_with(".plus") { 1 } else { -1 }, named_unit(call));
    let wanted = match by {
        Measure::Months(_) => "a date",
        Measure::Days(_) => "a date or instant",
        Measure::Exact(_) => "a time or instant",
    };
    let count = call.int(1)?.checked_mul(sign);
    shifted(call, count, by, wanted)
}

/// Argument 0 moved by `count` units, or the error.
pub(super) fn shifted(call: &mut Call<'_>, count: Option<i64>, by: Measure, wanted: &str) -> Res {
    call.allocate(96)?;
    if let Some(moved) = part::moved(call.arg(0), count, by) {
        return moved.ok_or_else(|| out_of_range(call));
    }
    let how = match call.arg(0) {
        Value::Date(_) => " ((.atStartOfDay d) and (.atTime d 10 30) give a date a time)",
        _ => "",
    };
    Err(call.wrong(&format!("{wanted}{how}"), call.arg(0)))
}
