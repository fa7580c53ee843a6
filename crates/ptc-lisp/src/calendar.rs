//! Values of the calendar besides dates and points in time: local times, zones, months and weekdays, amounts of time.
//!
//! Each has one text that describes it completely: `str` shows it, tagged literals (`#year-month "2024-03"`) read it,
//! and memory and journals keep it. Weekdays, months and units are names of classes of Java: they print as `MONDAY` and
//! `ChronoUnit/DAYS`.

use std::cmp::Ordering;
use std::fmt;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, Zoned};

mod amount;
mod moment;
mod pattern;
#[cfg(test)]
mod tests;

use amount::duration_text;
pub use amount::{Amount, Measure, UNITS, read_duration};
pub use amount::{NoPeriod, Period};
pub use moment::{DAY_MICROS, EPOCH, Moment, after_months, epoch_day, from_epoch_day, read_point};
pub use pattern::{DateFields, Fields, LETTERS, PatternError, read, title, tokens, written};

/// A value of the calendar.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Temporal {
    /// A date with a time of day, nowhere in particular: `LocalDateTime`.
    DateTime(DateTime),
    /// A time of day: `LocalTime`.
    Time(Time),
    /// A month of a year.
    YearMonth(YearMonth),
    /// A point in time as clocks of a zone show it: `ZonedDateTime`.
    Zoned(InZone),
    /// A time zone: `ZoneId`.
    Zone(TimeZone),
    /// 1 is Monday.
    DayOfWeek(u8),
    /// 1 is January.
    Month(u8),
    /// A unit of `ChronoUnit`, by its place in the list of units.
    Unit(u8),
    /// Years, months and days.
    Period(Period),
    /// An exact amount of time in microseconds.
    Duration(i64),
    /// The pattern of a `DateTimeFormatter`.
    Formatter(String),
}

/// A month of a year.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct YearMonth {
    /// -9999 to 9999
    pub year: i16,
    /// 1 to 12
    pub month: i8,
}

impl YearMonth {
    /// The first day of the month.
    #[must_use]
    pub fn first(self) -> Date {
        Date::new(self.year, self.month, 1).unwrap_or(Date::MIN)
    }
}

impl From<Date> for YearMonth {
    fn from(date: Date) -> YearMonth {
        YearMonth { year: date.year(), month: date.month() }
    }
}

/// A point in time with its zone; two are equal when both agree.
#[derive(Clone, Debug)]
pub struct InZone(pub Zoned);

impl PartialEq for InZone {
    fn eq(&self, other: &InZone) -> bool {
        self.0.timestamp() == other.0.timestamp() && self.0.time_zone() == other.0.time_zone()
    }
}

impl Eq for InZone {}

/// Weekdays from Monday on.
pub const DAYS: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/// Months from January on.
pub const MONTHS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

/// The kinds of [`Temporal`], each with its name and a text that its tagged literal may hold.
macro_rules! kinds {
    ($($variant:ident = $kind:literal $example:literal,)*) => {
        /// Tags of literals that programs may write, and their contents.
        pub const TAGS: &[(&str, &str)] =
            &[("date", "2024-03-01"), ("inst", "2024-03-09T10:00:00Z"), $(($kind, $example)),*];

        /// The kinds of [`Temporal`], as [`Temporal::kind`] names them.
        pub const TIME_KINDS: [&str; 11] = [$($kind),*];

        impl Temporal {
            /// The kind as messages, labels and tagged literals name it.
            #[must_use]
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Temporal::$variant(_) => $kind,)*
                }
            }
        }
    };
}

kinds! {
    DateTime = "local-datetime" "2024-03-01T10:30",
    Time = "local-time" "10:30",
    YearMonth = "year-month" "2024-03",
    Zoned = "zoned-datetime" "2024-03-01T10:30+01:00[Europe/Berlin]",
    Zone = "zone" "Europe/Berlin",
    DayOfWeek = "day-of-week" "MONDAY",
    Month = "month" "MARCH",
    Unit = "unit" "DAYS",
    Period = "period" "P1Y2M3D",
    Duration = "duration" "PT1H30M",
    Formatter = "formatter" "yyyy-MM-dd",
}

impl Temporal {
    /// The name of a weekday, month or unit.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Temporal::DayOfWeek(day) => DAYS.get(usize::from(*day).wrapping_sub(1)).copied(),
            Temporal::Month(month) => MONTHS.get(usize::from(*month).wrapping_sub(1)).copied(),
            Temporal::Unit(unit) => UNITS.get(usize::from(*unit)).map(|unit| unit.name),
            _ => None,
        }
    }

    /// The text that reads back with the kind as its tag.
    #[must_use]
    pub fn text(&self) -> String {
        self.name().map_or_else(|| self.to_string(), str::to_owned)
    }

    /// The order of two values of a kind; `None` where there is none.
    #[must_use]
    pub fn order(&self, other: &Temporal) -> Option<Ordering> {
        Some(match (self, other) {
            (Temporal::DateTime(x), Temporal::DateTime(y)) => x.cmp(y),
            (Temporal::Time(x), Temporal::Time(y)) => x.cmp(y),
            (Temporal::YearMonth(x), Temporal::YearMonth(y)) => x.cmp(y),
            (Temporal::Zoned(x), Temporal::Zoned(y)) => x.0.timestamp().cmp(&y.0.timestamp()),
            (Temporal::DayOfWeek(x), Temporal::DayOfWeek(y)) => x.cmp(y),
            (Temporal::Month(x), Temporal::Month(y)) => x.cmp(y),
            (Temporal::Unit(x), Temporal::Unit(y)) => x.cmp(y),
            (Temporal::Duration(x), Temporal::Duration(y)) => x.cmp(y),
            _ => return None,
        })
    }

    /// Bytes in addition to the value itself, for limits.
    pub fn bytes(&self) -> usize {
        let text = if let Temporal::Formatter(pattern) = self { pattern.len() } else { 0 };
        size_of::<Temporal>() + 16 + text
    }
}

/// As `str` shows it.
impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Temporal::DateTime(at) => write!(f, "{}T{}", at.date(), Clock(at.time())),
            Temporal::Time(time) => Clock(*time).fmt(f),
            Temporal::YearMonth(month) => {
                let first = month.first().to_string();
                f.write_str(first.strip_suffix("-01").unwrap_or(&first))
            }
            Temporal::Zoned(InZone(zoned)) => {
                write!(f, "{}T{}{}", zoned.date(), Clock(zoned.time()), OffsetText(zoned.offset()))?;
                match zoned.time_zone().iana_name() {
                    Some(name) if name != "UTC" => write!(f, "[{name}]"),
                    _ => Ok(()),
                }
            }
            Temporal::Zone(zone) => f.write_str(&zone_text(zone)),
            Temporal::Unit(unit) => f.write_str(UNITS.get(usize::from(*unit)).map_or("", |unit| unit.text)),
            Temporal::DayOfWeek(_) | Temporal::Month(_) => f.write_str(self.name().unwrap_or_default()),
            Temporal::Period(period) => period.fmt(f),
            Temporal::Duration(micros) => f.write_str(&duration_text(*micros)),
            Temporal::Formatter(pattern) => f.write_str(pattern),
        }
    }
}

/// A time of day as Java writes it: seconds only where there are some, fractions in groups of three digits.
struct Clock(Time);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (time, nanos) = (self.0, self.0.subsec_nanosecond());
        write!(f, "{:02}:{:02}", time.hour(), time.minute())?;
        if time.second() != 0 || nanos != 0 {
            write!(f, ":{:02}", time.second())?;
        }
        match nanos {
            0 => Ok(()),
            n if n % 1_000_000 == 0 => write!(f, ".{:03}", n / 1_000_000),
            n if n % 1_000 == 0 => write!(f, ".{:06}", n / 1_000),
            n => write!(f, ".{n:09}"),
        }
    }
}

/// `+01:00`, `Z` for none.
pub struct OffsetText(pub Offset);

impl fmt::Display for OffsetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.seconds();
        if seconds == 0 {
            return f.write_str("Z");
        }
        let (sign, seconds) = (if seconds < 0 { '-' } else { '+' }, seconds.unsigned_abs());
        write!(f, "{sign}{:02}:{:02}", seconds / 3_600, seconds / 60 % 60)?;
        if seconds.is_multiple_of(60) { Ok(()) } else { write!(f, ":{:02}", seconds % 60) }
    }
}

/// The name of a zone, or its offset.
fn zone_text(zone: &TimeZone) -> String {
    match zone.iana_name() {
        Some(name) => name.to_owned(),
        None => OffsetText(zone.to_offset(Timestamp::UNIX_EPOCH)).to_string(),
    }
}

/// The value of a tagged literal.
#[derive(Clone, Debug)]
pub enum TimeLiteral {
    /// `#date "2024-03-01"`
    Date(Date),
    /// `#inst "2024-03-09T10:00:00Z"`, in microseconds since 1970 UTC.
    Instant(i64),
    /// The other tags.
    Temporal(Temporal),
}

impl TimeLiteral {
    /// The value of the text of a tagged literal: `date`, `inst` and the kinds of [`Temporal`].
    pub fn read(tag: &str, text: &str) -> Option<TimeLiteral> {
        Some(TimeLiteral::Temporal(match tag {
            "date" => return read_date(text).map(TimeLiteral::Date),
            "inst" => return read_inst(text).map(TimeLiteral::Instant),
            "local-datetime" => Temporal::DateTime(read_date_time(text)?),
            "local-time" => Temporal::Time(read_time(text)?),
            "year-month" => Temporal::YearMonth(read_year_month(text)?),
            "zoned-datetime" => Temporal::Zoned(InZone(read_zoned(text)?)),
            "zone" => Temporal::Zone(zone_of(text)?),
            "day-of-week" => Temporal::DayOfWeek(place(&DAYS, text)? + 1),
            "month" => Temporal::Month(place(&MONTHS, text)? + 1),
            "unit" => Temporal::Unit(u8::try_from(UNITS.iter().position(|unit| unit.name == text)?).ok()?),
            "period" => Temporal::Period(text.parse().ok()?),
            "duration" => Temporal::Duration(read_duration(text)?),
            "formatter" => {
                tokens(text).ok()?;
                Temporal::Formatter(text.to_owned())
            }
            _ => return None,
        }))
    }

    /// The kind as messages name it.
    pub fn kind(&self) -> &'static str {
        match self {
            TimeLiteral::Date(_) => "date",
            TimeLiteral::Instant(_) => "datetime",
            TimeLiteral::Temporal(temporal) => temporal.kind(),
        }
    }
}

fn place(names: &[&str], name: &str) -> Option<u8> {
    u8::try_from(names.iter().position(|known| *known == name)?).ok()
}

/// Maximum length of a text that is a time.
const LONGEST: usize = 80;

/// `2024-03-01`; years beyond 9999 do not exist, those before 0 have a sign and six digits.
pub fn read_date(text: &str) -> Option<Date> {
    let shaped = text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    let early = text.len() == 13 && text.starts_with('-') && text.is_ascii();
    if shaped || early { text.parse().ok() } else { None }
}

/// Microseconds since 1970 of `2024-03-09T10:00:00Z`, or with another offset.
pub fn read_instant(text: &str) -> Option<i64> {
    if text.len() > LONGEST { None } else { text.parse::<Timestamp>().ok().map(|time| time.as_microsecond()) }
}

/// Reads `#inst` like Clojure: UTC without an offset, midnight without a time.
fn read_inst(text: &str) -> Option<i64> {
    let in_utc = |at: DateTime| Offset::UTC.to_timestamp(at).ok().map(|time| time.as_microsecond());
    let midnight = || read_date(text).map(|date| date.to_datetime(Time::midnight()));
    read_instant(text).or_else(|| in_utc(read_date_time(text).or_else(midnight)?))
}

/// `10:30`, `10:30:05`, `10:30:05.25`
pub fn read_time(text: &str) -> Option<Time> {
    let shaped = text.len() <= 18
        && text.as_bytes().get(2) == Some(&b':')
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    if shaped { text.parse().ok() } else { None }
}

/// `2024-03-01T10:30`, without an offset.
pub fn read_date_time(text: &str) -> Option<DateTime> {
    let (date, time) = text.split_once('T')?;
    Some(read_date(date)?.to_datetime(read_time(time)?))
}

/// `2024-03`
pub fn read_year_month(text: &str) -> Option<YearMonth> {
    if text.len() > LONGEST { None } else { read_date(&format!("{text}-01")).map(YearMonth::from) }
}

/// `2024-03-01T10:30+01:00[Europe/Berlin]`; the zone may be missing, then the offset is the zone.
pub fn read_zoned(text: &str) -> Option<Zoned> {
    let (text, zone) = match text.strip_suffix(']') {
        Some(rest) => rest.split_once('[').map(|(text, zone)| (text, Some(zone)))?,
        None => (text, None),
    };
    let clock = text.find('T')?;
    let offset_at = text.get(clock..)?.find(['Z', '+', '-'])? + clock;
    let offset = read_offset(text.get(offset_at..)?)?;
    let zone = zone.map_or_else(|| Some(TimeZone::fixed(offset)), zone_of)?;
    let at = read_date_time(text.get(..offset_at)?)?;
    Some(offset.to_timestamp(at).ok()?.to_zoned(zone))
}

/// `Z`, `+01`, `+01:00`, `+0100`, `+01:00:30`
pub fn read_offset(text: &str) -> Option<Offset> {
    if text == "Z" {
        return Some(Offset::UTC);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let rest = text.get(1..)?;
    let parts: Vec<&str> = match rest.len() {
        4 if !rest.contains(':') => vec![rest.get(..2)?, rest.get(2..)?],
        _ => rest.split(':').collect(),
    };
    let mut seconds = 0;
    for (part, scale) in parts.iter().zip([3_600, 60, 1]) {
        let is_number = matches!(part.len(), 1 | 2) && part.bytes().all(|byte| byte.is_ascii_digit());
        seconds += part.parse::<i32>().ok().filter(|_| is_number)? * scale;
    }
    if parts.len() > 3 || seconds > 18 * 3_600 { None } else { Offset::from_seconds(sign * seconds).ok() }
}

/// The zone of a name such as `Europe/Berlin`, `UTC` or `+01:00`, from the built-in database: a run is the same on
/// every machine.
pub fn zone_of(name: &str) -> Option<TimeZone> {
    if name.len() > LONGEST {
        return None;
    }
    let plain = match name.strip_prefix("UTC").or_else(|| name.strip_prefix("GMT")) {
        Some(offset) if !offset.is_empty() => offset,
        _ => name,
    };
    read_offset(plain).map(TimeZone::fixed).or_else(|| bundled().get(name).ok())
}

fn bundled() -> &'static TimeZoneDatabase {
    static ZONES: std::sync::LazyLock<TimeZoneDatabase> = std::sync::LazyLock::new(TimeZoneDatabase::bundled);
    &ZONES
}
