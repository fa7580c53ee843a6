//! Patterns of `DateTimeFormatter`: how the letters in common use write and read. Names are English.

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};

use super::{DAYS, MONTHS, OffsetText, YearMonth, read_offset, zone_of};

/// The letters that patterns may have.
pub const LETTERS: &str = "y u M L d D E a h H m s S Q X x Z z V";

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// A letter and how often it is repeated.
    Field(char, usize),
    /// `[…]`: may be missing where a text is read.
    Optional(Vec<Part>),
}

/// Why a pattern is invalid.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// A letter without a meaning.
    Letter(char),
    /// A quote that is not closed.
    Quote,
    /// A bracket without its other half.
    Bracket,
    /// Empty, or far too long.
    Length,
}

/// The parts of a pattern.
pub fn tokens(pattern: &str) -> Result<Vec<Part>, PatternError> {
    if pattern.is_empty() || pattern.len() > 200 {
        return Err(PatternError::Length);
    }
    let mut rest = pattern;
    let parts = group(&mut rest, 0)?;
    if rest.is_empty() { Ok(parts) } else { Err(PatternError::Bracket) }
}

/// The parts up to the end, or up to the bracket that closes this level.
fn group(rest: &mut &str, depth: usize) -> Result<Vec<Part>, PatternError> {
    let mut parts = Vec::new();
    while let Some(first) = rest.chars().next() {
        let run = rest.find(|c| c != first).unwrap_or(rest.len());
        match first {
            '\'' => parts.push(Part::Text(quoted(rest)?)),
            '[' if depth < 8 => {
                *rest = rest.get(1..).unwrap_or_default();
                let inner = group(rest, depth + 1)?;
                *rest = rest.strip_prefix(']').ok_or(PatternError::Bracket)?;
                parts.push(Part::Optional(inner));
            }
            ']' if depth > 0 => return Ok(parts),
            '[' | ']' => return Err(PatternError::Bracket),
            letter if letter.is_ascii_alphabetic() => {
                if !LETTERS.contains(letter) {
                    return Err(PatternError::Letter(letter));
                }
                parts.push(Part::Field(letter, run));
                *rest = rest.get(run..).unwrap_or_default();
            }
            other => {
                parts.push(Part::Text(other.to_string()));
                *rest = rest.get(other.len_utf8()..).unwrap_or_default();
            }
        }
    }
    Ok(parts)
}

/// The text in quotes at the start of `rest`; two quotes are one.
fn quoted(rest: &mut &str) -> Result<String, PatternError> {
    let mut text = String::new();
    let mut inner = rest.get(1..).unwrap_or_default();
    loop {
        let (piece, tail) = inner.split_once('\'').ok_or(PatternError::Quote)?;
        text.push_str(piece);
        match tail.strip_prefix('\'') {
            Some(more) if !(text.is_empty() && piece.is_empty()) => {
                text.push('\'');
                inner = more;
            }
            _ => {
                *rest = tail;
                return Ok(if text.is_empty() { "'".to_owned() } else { text });
            }
        }
    }
}

/// The values to write.
#[derive(Clone, Debug, Default)]
pub struct DateFields {
    /// The date, when it is complete.
    pub date: Option<Date>,
    /// The month, when there is one.
    pub month: Option<YearMonth>,
    /// The time of day.
    pub time: Option<Time>,
    /// The distance from UTC.
    pub offset: Option<Offset>,
    /// Name and short name.
    pub zone: Option<(String, String)>,
}

/// The text of `shown` by a pattern; the error is the letter without a value.
pub fn written(parts: &[Part], shown: &DateFields) -> Result<String, char> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(piece) => text.push_str(piece),
            Part::Field(letter, width) => text.push_str(&field(*letter, *width, shown).ok_or(*letter)?),
            // Left out where there is nothing to write, as in Java.
            Part::Optional(inner) => text.push_str(&written(inner, shown).unwrap_or_default()),
        }
    }
    Ok(text)
}

fn field(letter: char, width: usize, shown: &DateFields) -> Option<String> {
    let month = shown.month.or_else(|| shown.date.map(YearMonth::from));
    let padded = |number: i64| format!("{number:0width$}");
    Some(match letter {
        'y' | 'u' if width == 2 => format!("{:02}", month?.year.rem_euclid(100)),
        'y' | 'u' => padded(month?.year.into()),
        'M' | 'L' if width >= 3 => named(&MONTHS, month?.month, width),
        'M' | 'L' => padded(month?.month.into()),
        'd' => padded(shown.date?.day().into()),
        'D' => padded(shown.date?.day_of_year().into()),
        'E' => named(&DAYS, shown.date?.weekday().to_monday_one_offset(), width),
        'Q' if width >= 3 => format!("Q{}", (month?.month + 2) / 3),
        'Q' => padded(((month?.month + 2) / 3).into()),
        'H' => padded(shown.time?.hour().into()),
        'h' => padded(((shown.time?.hour() + 11) % 12 + 1).into()),
        'a' => if shown.time?.hour() < 12 { "AM" } else { "PM" }.to_owned(),
        'm' => padded(shown.time?.minute().into()),
        's' => padded(shown.time?.second().into()),
        'S' => format!("{:09}", shown.time?.subsec_nanosecond()).get(..width.min(9))?.to_owned(),
        'X' | 'x' | 'Z' => offset_text(letter, width, shown.offset?),
        'V' => shown.zone.as_ref()?.0.clone(),
        _ => shown.zone.as_ref()?.1.clone(),
    })
}

/// `March` for four letters, `Mar` for three.
fn named(names: &[&str], number: i8, width: usize) -> String {
    let name = usize::try_from(number - 1).ok().and_then(|at| names.get(at)).copied().unwrap_or_default();
    let shown = title(name);
    if width == 4 { shown } else { shown.chars().take(if width == 5 { 1 } else { 3 }).collect() }
}

/// `Monday` for `MONDAY`.
pub fn title(name: &str) -> String {
    name.chars().enumerate().map(|(at, c)| if at == 0 { c } else { c.to_ascii_lowercase() }).collect()
}

fn offset_text(letter: char, width: usize, offset: Offset) -> String {
    let zero = offset.seconds() == 0;
    if letter == 'X' && zero || letter == 'Z' && width == 5 && zero {
        return "Z".to_owned();
    }
    let full = if zero { "+00:00".to_owned() } else { OffsetText(offset).to_string() };
    match (letter, width) {
        ('Z', 1..=3) | (_, 2) => full.replace(':', ""),
        ('X' | 'x', 1) if full.ends_with(":00") => full.get(..3).unwrap_or_default().to_owned(),
        ('X' | 'x', 1) => full.replace(':', ""),
        _ => full,
    }
}

/// The values found in a text.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    day_of_year: Option<i16>,
    weekday: Option<i8>,
    hour: Option<i8>,
    /// Hour on the clock of twelve, and whether it is after noon.
    half_hour: Option<i8>,
    after_noon: Option<bool>,
    minute: Option<i8>,
    second: Option<i8>,
    nanos: Option<i32>,
    /// The distance from UTC.
    pub offset: Option<Offset>,
    /// The time zone.
    pub zone: Option<TimeZone>,
}

/// Read `text` by a pattern; the error is the byte where it no longer fits.
pub fn read(parts: &[Part], text: &str) -> Result<Fields, usize> {
    let mut fields = Fields::default();
    let rest = read_parts(parts, text, &mut fields).map_err(|rest| text.len() - rest.len())?;
    if rest.is_empty() { Ok(fields) } else { Err(text.len() - rest.len()) }
}

/// The rest of the text after the parts; the error is the rest that does not fit.
fn read_parts<'t>(parts: &[Part], mut rest: &'t str, fields: &mut Fields) -> Result<&'t str, &'t str> {
    for (at, part) in parts.iter().enumerate() {
        rest = match part {
            Part::Text(piece) => rest.strip_prefix(piece.as_str()).ok_or(rest)?,
            Part::Field(letter, width) => {
                let next = matches!(parts.get(at + 1), Some(Part::Field(letter, width)) if is_number(*letter, *width));
                read_field(*letter, *width, next, rest, fields).ok_or(rest)?
            }
            Part::Optional(inner) => {
                let before = fields.clone();
                read_parts(inner, rest, fields).unwrap_or_else(|_| {
                    *fields = before;
                    rest
                })
            }
        };
    }
    Ok(rest)
}

fn is_number(letter: char, width: usize) -> bool {
    matches!(letter, 'y' | 'u' | 'd' | 'D' | 'H' | 'h' | 'm' | 's' | 'S') || matches!(letter, 'M' | 'L') && width < 3
}

/// Read one field. `tight`: digits follow, so it has as many digits as letters.
fn read_field<'t>(letter: char, width: usize, tight: bool, rest: &'t str, fields: &mut Fields) -> Option<&'t str> {
    if matches!(letter, 'M' | 'L') && width >= 3 {
        return one_of(&MONTHS, width, rest, &mut fields.month);
    }
    let run = |belongs: fn(char) -> bool| rest.split_at(rest.find(|c| !belongs(c)).unwrap_or(rest.len()));
    match letter {
        'E' => return one_of(&DAYS, width, rest, &mut fields.weekday),
        'a' => {
            let half = rest.get(..2)?;
            fields.after_noon = Some(["AM", "PM"].iter().position(|name| half.eq_ignore_ascii_case(name))? == 1);
            return rest.get(2..);
        }
        'X' | 'x' | 'Z' => {
            let (offset, behind) = run(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ':' | 'Z'));
            fields.offset = Some(read_offset(offset)?);
            return Some(behind);
        }
        'V' | 'z' => {
            let (zone, behind) = run(|c| c.is_alphanumeric() || matches!(c, '/' | '_' | '+' | '-' | ':'));
            fields.zone = Some(zone_of(zone)?);
            return Some(behind);
        }
        _ if !is_number(letter, width) => return None,
        _ => {}
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let most = match letter {
        _ if tight || width == 2 || letter == 'S' => width,
        'y' | 'u' => 5,
        'D' => 3,
        _ => 2.max(width),
    };
    let count = digits.min(most);
    if count < width {
        return None;
    }
    let number: i64 = rest.get(..count)?.parse().ok()?;
    store(letter, width, number, fields)?;
    rest.get(count..)
}

fn store(letter: char, width: usize, number: i64, fields: &mut Fields) -> Option<()> {
    let small = || i8::try_from(number).ok();
    match letter {
        'y' | 'u' => fields.year = Some(i16::try_from(if width == 2 { 2_000 + number } else { number }).ok()?),
        'M' | 'L' => fields.month = Some(small()?),
        'd' => fields.day = Some(small()?),
        'D' => fields.day_of_year = Some(i16::try_from(number).ok()?),
        'H' => fields.hour = Some(small()?),
        'h' => fields.half_hour = Some(small().filter(|hour| (1..=12).contains(hour))?),
        'm' => fields.minute = Some(small()?),
        's' => fields.second = Some(small()?),
        _ => {
            let scale = 10_i64.checked_pow(u32::try_from(9_usize.checked_sub(width)?).ok()?)?;
            fields.nanos = Some(i32::try_from(number.checked_mul(scale)?).ok()?);
        }
    }
    Some(())
}

/// Read a name, whole for four letters, else its first three.
fn one_of<'t>(names: &[&str], width: usize, rest: &'t str, found: &mut Option<i8>) -> Option<&'t str> {
    for (at, name) in names.iter().enumerate() {
        let name = if width == 4 { name } else { name.get(..3)? };
        if rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            *found = i8::try_from(at + 1).ok();
            return rest.get(name.len()..);
        }
    }
    None
}

impl Fields {
    /// The date in the text, if it exists and its weekday is right.
    pub fn date(&self) -> Option<Date> {
        let year = self.year?;
        let date = match (self.month, self.day, self.day_of_year) {
            (Some(month), Some(day), _) => Date::new(year, month, day).ok()?,
            (_, _, Some(day)) => Date::new(year, 1, 1).ok()?.with().day_of_year(day).build().ok()?,
            _ => return None,
        };
        let weekday = date.weekday().to_monday_one_offset();
        if self.weekday.is_none_or(|day| day == weekday) { Some(date) } else { None }
    }

    /// The month of the year.
    pub fn month(&self) -> Option<YearMonth> {
        Date::new(self.year?, self.month?, 1).ok().map(YearMonth::from)
    }

    /// The time of day; missing minutes and seconds are zero.
    pub fn time(&self) -> Option<Time> {
        let hour = match (self.hour, self.half_hour, self.after_noon) {
            (Some(hour), ..) => hour,
            (_, Some(hour), Some(after_noon)) => hour % 12 + if after_noon { 12 } else { 0 },
            _ => return None,
        };
        Time::new(hour, self.minute.unwrap_or(0), self.second.unwrap_or(0), self.nanos.unwrap_or(0)).ok()
    }
}
