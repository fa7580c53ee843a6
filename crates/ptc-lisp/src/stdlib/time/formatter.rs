//! `DateTimeFormatter`: writing and reading times by patterns.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::part;
use crate::calendar::{DateFields, Fields, LETTERS, PatternError, read, tokens, written};
use crate::error::{Res, Signal};
use crate::stdlib::{Call, Family, rows, show};
use crate::value::{InZone, Temporal, Text, Value, YearMonth, shortened};

pub(crate) const FAMILY: Family = rows! {
    "Date patterns";
    "DateTimeFormatter/ofPattern" "[pattern]" "[pattern locale]" lazy = of_pattern,
        "A pattern for writing and reading dates: `yyyy MM dd HH mm ss`, `MMM` and `EEE` for names, `a` for AM and \
         PM, text in `'quotes'`."
        r#"(.format (LocalDate/of 2024 3 1) (DateTimeFormatter/ofPattern "EEE d MMM yyyy"))"# => r#""Fri 1 Mar 2024""#;
    ".format" "[t formatter]" lazy = format,
        "A date or time written by a `DateTimeFormatter`; an instant in UTC."
        r#"(.format (LocalDateTime/of 2024 3 1 9 5) (DateTimeFormatter/ofPattern "dd.MM.yyyy HH:mm"))"#
            => r#""01.03.2024 09:05""#;
    ".withLocale" "[formatter locale]" lazy
        = |call| if pattern(call, 0).is_some() { Ok(call.take(0)) } else { Err(no_formatter(call, 0)) },
        "The formatter itself: names are English."
        r#"(str (.withLocale (DateTimeFormatter/ofPattern "MMM") Locale/US))"# => r#""MMM""#;
    ".withZone" "[formatter zone]" lazy = with_zone,
        "The formatter itself, if the zone is UTC, in which instants are written."
        r#"(.format (.withZone (DateTimeFormatter/ofPattern "yyyy-MM-dd") ZoneOffset/UTC) (java.util.Date. 0))"#
            => r#""1970-01-01""#;
};

fn of_pattern(call: &mut Call<'_>) -> Res {
    let text = call.text(0)?;
    call.charge(text.len())?;
    match tokens(&text) {
        Ok(_) => call.temporal(Temporal::Formatter(text.as_str().to_owned())),
        Err(flaw) => Err(call.invalid(format_args!("{} in the pattern {}", said(flaw), show::quoted(&text)))),
    }
}

fn said(flaw: PatternError) -> String {
    match flaw {
        PatternError::Letter('Y') => "Y is the week-based year; write yyyy".to_owned(),
        PatternError::Letter(letter) => {
            format!("the letter {letter} has no meaning here (the letters are {LETTERS}; put text in 'quotes')")
        }
        PatternError::Quote => "a quote ' is not closed".to_owned(),
        PatternError::Bracket => "a bracket [ or ] has no counterpart".to_owned(),
        PatternError::Length => "expected 1 to 200 characters".to_owned(),
    }
}

/// The pattern in an argument.
fn pattern(call: &Call<'_>, index: usize) -> Option<String> {
    if let Temporal::Formatter(pattern) = part::temporal(call.arg(index))? { Some(pattern.clone()) } else { None }
}

fn no_formatter(call: &Call<'_>, index: usize) -> Box<Signal> {
    match call.arg(index) {
        Value::Str(text) => {
            call.wrong(&format!("a formatter: (DateTimeFormatter/ofPattern {})", show::quoted(text)), call.arg(index))
        }
        other => call.wrong("a formatter such as (DateTimeFormatter/ofPattern \"yyyy-MM-dd\")", other),
    }
}

fn format(call: &mut Call<'_>) -> Res {
    // Both orders exist in Java: of the time, and of the formatter.
    let (pattern, at) = match (pattern(call, 1), pattern(call, 0)) {
        (Some(pattern), _) => (pattern, 0),
        (None, Some(pattern)) => (pattern, 1),
        (None, None) => return Err(no_formatter(call, 1)),
    };
    let shown = shown_of(call.arg(at)).ok_or_else(|| call.wrong("a date or time", call.arg(at)))?;
    call.charge(pattern.len())?;
    let text = written(&tokens(&pattern).unwrap_or_default(), &shown);
    match text {
        Ok(text) => call.string(text),
        Err(letter) => Err(call.invalid(format_args!(
            "the pattern {} asks for {}, which a {} does not have",
            show::quoted(&pattern),
            asked(letter),
            call.arg(at).kind()
        ))),
    }
}

fn asked(letter: char) -> &'static str {
    match letter {
        'H' | 'h' | 'a' => "the hour",
        'm' => "the minute (the month is M)",
        's' | 'S' => "the second",
        'd' | 'D' | 'E' => "the day",
        'M' | 'L' | 'Q' => "the month (the minute is m)",
        'y' | 'u' => "the year",
        _ => "the zone",
    }
}

/// The parts of a value that can be written.
fn shown_of(value: &Value) -> Option<DateFields> {
    if let Value::Instant(micros) = value {
        let utc = Timestamp::from_microsecond(*micros).ok()?.to_zoned(TimeZone::UTC);
        return shown_of(&Temporal::Zoned(InZone(utc)).into());
    }
    let (date, time, month) = (part::date(value), part::time(value), part::month_start(value).map(YearMonth::from));
    let zone = part::zoned(value).map(|zoned| {
        let short = zoned.time_zone().to_offset_info(zoned.timestamp()).abbreviation().to_owned();
        (Temporal::Zone(zoned.time_zone().clone()).to_string(), short)
    });
    let offset = part::zoned(value).map(|zoned| zoned.offset());
    if time.is_none() && month.is_none() { None } else { Some(DateFields { date, month, time, offset, zone }) }
}

fn with_zone(call: &mut Call<'_>) -> Res {
    pattern(call, 0).ok_or_else(|| no_formatter(call, 0))?;
    match call.arg(1) {
        Value::Temporal(zone) if **zone == Temporal::Zone(TimeZone::UTC) => Ok(call.take(0)),
        _ => Err(call.invalid("write (.format (.atZone inst zone) formatter) for a zone other than UTC")),
    }
}

/// The value of the text in argument 0. With a formatter in argument 1, it is what `found` finds (or what is missing,
/// and the letters for it). Otherwise it is what `iso` reads; `wanted` and `example` are for the error.
pub(super) fn parsed<T>(
    call: &mut Call<'_>,
    iso: fn(&str) -> Option<T>,
    wanted: &str,
    example: &str,
    found: impl FnOnce(&Fields) -> Result<T, (&str, &str)>,
) -> Res<T> {
    let text = call.text(0)?;
    if call.len() == 1 {
        return iso(&text).ok_or_else(|| not_iso(call, &text, wanted, example));
    }
    let pattern = pattern(call, 1).ok_or_else(|| no_formatter(call, 1))?;
    call.charge(pattern.len() + text.len() / 8)?;
    let fields = read(&tokens(&pattern).unwrap_or_default(), &text).map_err(|at| {
        let (shown, quoted, place) = (shortened(&text, 40), show::quoted(&pattern), place(&text, at));
        call.invalid(format_args!("'{shown}' does not fit the pattern {quoted}, from {place} on"))
    })?;
    found(&fields).map_err(|(what, letters)| {
        let fits = letters.chars().filter(|c| c.is_alphabetic()).all(|letter| pattern.contains(letter));
        // The pattern does not contain it, or it does not exist.
        if fits {
            call.invalid(format_args!("there is no such {what}: '{}'", shortened(&text, 40)))
        } else {
            call.invalid(format_args!("the pattern {} has no {what} ({letters})", show::quoted(&pattern)))
        }
    })
}

fn place(text: &Text, at: usize) -> String {
    match text.get(at..).filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("'{}'", shortened(rest, 40)),
        None => "its end".to_owned(),
    }
}

/// The error for a text that is not in ISO form.
fn not_iso(call: &Call<'_>, text: &str, wanted: &str, example: &str) -> Box<Signal> {
    let (name, shown) = (call.name, shortened(text, 40));
    // A text that starts in ISO form is a day that does not exist, or has something after it.
    let iso = text.get(4..5) == Some("-") && text.bytes().take(4).all(|byte| byte.is_ascii_digit());
    let advice = if !iso && text.len() <= 40 && text.bytes().any(|byte| byte.is_ascii_digit()) {
        format!("; read another form with ({name} s (DateTimeFormatter/ofPattern \"{example}\"))")
    } else {
        String::new()
    };
    call.invalid(format_args!("not {wanted}: '{shown}'{advice}"))
}
