//! Weekdays, months and units by name, and the constants of the calendar classes.

use jiff::civil::{Date, Time};

use super::{date::date, part};
use crate::calendar::{DAYS, EPOCH, MONTHS, UNITS, title, zone_of};
use crate::error::Res;
use crate::stdlib::{Call, Constant, Family, rows, show};
use crate::value::{Name, Period, Temporal, Value};

/// Constants that only name an option of a function.
const OPTIONS: &str = "TextStyle/FULL TextStyle/SHORT TextStyle/NARROW Locale/ENGLISH Locale/US Locale/UK Locale/ROOT \
                       IsoFields/QUARTER_OF_YEAR IsoFields/WEEK_OF_WEEK_BASED_YEAR IsoFields/WEEK_BASED_YEAR";

/// Formatters and their patterns.
const FORMATTERS: [(&str, &str); 7] = [
    ("DateTimeFormatter/ISO_DATE", "yyyy-MM-dd"),
    ("DateTimeFormatter/ISO_LOCAL_DATE", "yyyy-MM-dd"),
    ("DateTimeFormatter/ISO_LOCAL_TIME", "HH:mm:ss"),
    ("DateTimeFormatter/ISO_LOCAL_DATE_TIME", "yyyy-MM-dd'T'HH:mm:ss"),
    ("DateTimeFormatter/ISO_OFFSET_DATE_TIME", "yyyy-MM-dd'T'HH:mm:ssXXX"),
    ("DateTimeFormatter/ISO_INSTANT", "yyyy-MM-dd'T'HH:mm:ssX"),
    ("DateTimeFormatter/BASIC_ISO_DATE", "yyyyMMdd"),
];

/// All constants of the calendar.
pub(crate) fn constants() -> impl Iterator<Item = Constant> {
    let numbered = |class, name, time: Temporal| (&*format!("{class}/{name}").leak(), Value::from(time));
    let days = (1..).zip(DAYS).map(move |(n, name)| numbered("DayOfWeek", name, Temporal::DayOfWeek(n)));
    let months = (1..).zip(MONTHS).map(move |(n, name)| numbered("Month", name, Temporal::Month(n)));
    let units = (0..).zip(UNITS).map(move |(n, unit)| numbered("ChronoUnit", unit.name, Temporal::Unit(n)));
    let options = OPTIONS.split_whitespace().map(|name| (name, Value::Symbol(Name::new(name))));
    let formatters = FORMATTERS.map(|(name, pattern)| (name, Temporal::Formatter(pattern.to_owned()).into()));
    let others = [
        ("ZoneOffset/UTC", zone_of("UTC").map_or(Value::Nil, |zone| Temporal::Zone(zone).into())),
        ("Instant/EPOCH", Value::Instant(0)),
        ("LocalDate/EPOCH", Value::Date(EPOCH)),
        ("LocalTime/MIDNIGHT", Temporal::Time(Time::midnight()).into()),
        ("LocalTime/NOON", Temporal::Time(Time::constant(12, 0, 0, 0)).into()),
        ("Duration/ZERO", Temporal::Duration(0).into()),
        ("Period/ZERO", Temporal::Period(Period::default()).into()),
    ];
    days.chain(months).chain(units).chain(options).chain(formatters).chain(others)
}

pub(crate) const FAMILY: Family = rows! {
    "Weekdays and months";
    "DayOfWeek/of" "[n]" lazy = |call| numbered(call, 7, Temporal::DayOfWeek),
        "The weekday of a number, 1 for Monday." "(DayOfWeek/of 1)" => "MONDAY";
    "DayOfWeek/from" "[d]" lazy = |call| call.temporal(weekday(date(call)?)),
        "The weekday of a date." "(DayOfWeek/from (LocalDate/of 2024 2 29))" => "THURSDAY";
    "DayOfWeek/valueOf" "[s]" lazy = |call| named(call, &DAYS, Temporal::DayOfWeek),
        "The weekday of a name in upper case." r#"(DayOfWeek/valueOf "MONDAY")"# => "MONDAY";
    "DayOfWeek/values" "[]" lazy = |call| all(call, 7, Temporal::DayOfWeek),
        "All weekdays, from Monday on." "(first (DayOfWeek/values))" => "MONDAY";
    "Month/of" "[n]" lazy = |call| numbered(call, 12, Temporal::Month),
        "The month of a number, 1 for January." "(Month/of 5)" => "MAY";
    "Month/from" "[d]" lazy = |call| call.temporal(month(date(call)?)),
        "The month of a date." "(Month/from (LocalDate/of 2024 2 29))" => "FEBRUARY";
    "Month/valueOf" "[s]" lazy = |call| named(call, &MONTHS, Temporal::Month),
        "The month of a name in upper case." r#"(Month/valueOf "MAY")"# => "MAY";
    "Month/values" "[]" lazy = |call| all(call, 12, Temporal::Month),
        "All months, from January on." "(count (Month/values))" => "12";
    ".getValue" "[x]" lazy = get_value,
        "The number of a weekday (1 is Monday) or month (1 is January); the value of a map entry."
        "(.getValue DayOfWeek/SUNDAY)" => "7", "(.getValue (first {:a 1}))" => "1";
    ".ordinal" "[x]" lazy = ordinal,
        "The position of a weekday or month, from 0." "(.ordinal DayOfWeek/MONDAY)" => "0";
    ".name" "[x]" lazy = name,
        "The name of a weekday, month or unit as text." "(.name Month/MAY)" => r#""MAY""#;
    ".getDisplayName" "[x style locale]" lazy = display_name,
        "The English name of a weekday or month, `TextStyle/FULL` or `TextStyle/SHORT`."
        "(.getDisplayName DayOfWeek/MONDAY TextStyle/SHORT Locale/ENGLISH)" => r#""Mon""#,
        "(.getDisplayName Month/MARCH TextStyle/FULL Locale/US)" => r#""March""#;
    ".maxLength" "[month]" lazy = max_length,
        "The most days that a month, by name, can have." "(.maxLength Month/FEBRUARY)" => "29";
};

pub(super) fn weekday(date: Date) -> Temporal {
    Temporal::DayOfWeek(date.weekday().to_monday_one_offset().unsigned_abs())
}

pub(super) fn month(date: Date) -> Temporal {
    Temporal::Month(date.month().unsigned_abs())
}

fn numbered(call: &mut Call<'_>, most: u8, kind: fn(u8) -> Temporal) -> Res {
    let n = call.int(0)?;
    let found = u8::try_from(n).ok().filter(|n| (1..=most).contains(n));
    call.temporal(kind(found.ok_or_else(|| call.invalid(format_args!("expected 1 to {most}, got {n}")))?))
}

// Bounded: names of ours.
fn named(call: &mut Call<'_>, names: &[&str], kind: fn(u8) -> Temporal) -> Res {
    let text = call.text(0)?;
    let found = (1..).zip(names).find(|(_, name)| **name == text.as_str());
    let (n, _) = found.ok_or_else(|| {
        call.invalid(format_args!("expected one of {}, got {}", names.join(" "), show::quoted(&text)))
    })?;
    call.temporal(kind(n))
}

// Bounded: a dozen.
fn all(call: &mut Call<'_>, count: u8, kind: fn(u8) -> Temporal) -> Res {
    call.allocate(usize::from(count) * 96)?;
    call.vector((1..=count).map(|n| kind(n).into()).collect())
}

/// The weekday or month in argument 0, and its number.
fn number<'c>(call: &'c Call<'_>) -> Res<(&'c Temporal, u8)> {
    call.want(0, "a weekday or month", |value| match part::temporal(value)? {
        found @ (Temporal::DayOfWeek(n) | Temporal::Month(n)) => Some((found, *n)),
        _ => None,
    })
}

fn get_value(call: &mut Call<'_>) -> Res {
    if let Value::Vector(entry) = call.arg(0)
        && let Some((_, value)) = entry.pair()
    {
        return Ok(value.clone());
    }
    number(call).map(|(_, n)| Value::Int(n.into()))
}

fn ordinal(call: &mut Call<'_>) -> Res {
    match part::temporal(call.arg(0)) {
        Some(Temporal::Unit(unit)) => Ok(Value::Int((*unit).into())),
        _ => number(call).map(|(_, n)| Value::Int(i64::from(n) - 1)),
    }
}

fn name(call: &mut Call<'_>) -> Res {
    let what = "a weekday, month or unit ((name x) is for keywords)";
    let name = call.want(0, what, |value| part::temporal(value)?.name())?;
    call.string(name.to_owned())
}

fn display_name(call: &mut Call<'_>) -> Res {
    let full = title(number(call)?.0.name().unwrap_or_default());
    let letters = match part::constant(call.arg(1)) {
        "TextStyle/FULL" => full.len(),
        "TextStyle/SHORT" => 3,
        "TextStyle/NARROW" => 1,
        _ => {
            let found = crate::value::shown(call.arg(1));
            return Err(
                call.invalid(format_args!("expected TextStyle/FULL, TextStyle/SHORT or TextStyle/NARROW, got {found}"))
            );
        }
    };
    // Bounded: the name of a month or weekday.
    call.string(full.chars().take(letters).collect())
}

fn max_length(call: &mut Call<'_>) -> Res {
    let month = call.want(0, "a month such as Month/MAY", |value| match part::temporal(value)? {
        Temporal::Month(month) => Some(*month),
        _ => None,
    })?;
    Ok(Value::Int(match month {
        2 => 29,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }))
}
