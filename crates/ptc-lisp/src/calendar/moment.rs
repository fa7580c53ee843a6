//! The parts of dates, instants and other values of the calendar, and the same values with other parts.

use std::cmp::Ordering;

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::rfc2822::DateTimeParser;
use jiff::{SignedDuration, Span, Timestamp, Zoned};

use crate::calendar::{InZone, Measure, Period, Temporal, TimeLiteral, YearMonth, read_date, read_instant};

/// Microseconds of a day of 24 hours.
pub const DAY_MICROS: i64 = 86_400_000_000;

/// 1970-01-01.
pub const EPOCH: Date = Date::constant(1970, 1, 1);

/// A date, an instant in microseconds since 1970 UTC, or another value of the calendar.
#[derive(Copy, Clone, Debug)]
pub enum Moment<'t> {
    /// A date.
    Date(Date),
    /// Microseconds since 1970 UTC.
    Instant(i64),
    /// Another value.
    Temporal(&'t Temporal),
}

impl<'t> Moment<'t> {
    /// The date of a date, date-time or time in a zone.
    #[must_use]
    pub fn date(self) -> Option<Date> {
        match self {
            Moment::Date(date) => Some(date),
            Moment::Temporal(Temporal::DateTime(at)) => Some(at.date()),
            Moment::Temporal(Temporal::Zoned(zoned)) => Some(zoned.0.date()),
            _ => None,
        }
    }

    /// The same of a month of a year: its first day.
    #[must_use]
    pub fn month_start(self) -> Option<Date> {
        if let Moment::Temporal(Temporal::YearMonth(month)) = self { Some(month.first()) } else { self.date() }
    }

    /// The time of day.
    #[must_use]
    pub fn time(self) -> Option<Time> {
        match self {
            Moment::Temporal(Temporal::Time(time)) => Some(*time),
            Moment::Temporal(Temporal::DateTime(at)) => Some(at.time()),
            Moment::Temporal(Temporal::Zoned(zoned)) => Some(zoned.0.time()),
            _ => None,
        }
    }

    /// The time in a zone.
    #[must_use]
    pub fn zoned(self) -> Option<&'t Zoned> {
        if let Moment::Temporal(Temporal::Zoned(zoned)) = self { Some(&zoned.0) } else { None }
    }

    /// Date and time of day as clocks show them.
    #[must_use]
    pub fn date_time(self) -> Option<DateTime> {
        Some(self.date()?.to_datetime(self.time()?))
    }

    /// Microseconds since 1970 of a point in time.
    #[must_use]
    pub fn micros(self) -> Option<i64> {
        match self {
            Moment::Instant(micros) => Some(micros),
            other => other.zoned().map(|zoned| zoned.timestamp().as_microsecond()),
        }
    }

    /// The order of two values of a kind; `None` where there is none.
    #[must_use]
    pub fn order(self, other: Moment<'_>) -> Option<Ordering> {
        match (self, other) {
            (Moment::Date(x), Moment::Date(y)) => Some(x.cmp(&y)),
            (Moment::Instant(x), Moment::Instant(y)) => Some(x.cmp(&y)),
            (Moment::Temporal(x), Moment::Temporal(y)) => x.order(y),
            _ => None,
        }
    }

    /// The same on another date; `None` outside of the calendar.
    pub fn with_date(self, change: impl FnOnce(Date) -> Option<Date>) -> Option<TimeLiteral> {
        let changed = change(self.month_start()?)?;
        Some(TimeLiteral::Temporal(match self {
            Moment::Temporal(Temporal::DateTime(at)) => Temporal::DateTime(changed.to_datetime(at.time())),
            Moment::Temporal(Temporal::Zoned(zoned)) => in_zone(changed.to_datetime(zoned.0.time()), &zoned.0)?,
            Moment::Temporal(_) => Temporal::YearMonth(YearMonth::from(changed)),
            Moment::Date(_) | Moment::Instant(_) => return Some(TimeLiteral::Date(changed)),
        }))
    }

    /// The same at another time of day.
    pub fn with_time(self, change: impl FnOnce(Time) -> Option<Time>) -> Option<Temporal> {
        let changed = change(self.time()?)?;
        match self {
            Moment::Temporal(Temporal::DateTime(at)) => Some(Temporal::DateTime(at.date().to_datetime(changed))),
            Moment::Temporal(Temporal::Zoned(zoned)) => in_zone(zoned.0.date().to_datetime(changed), &zoned.0),
            _ => Some(Temporal::Time(changed)),
        }
    }

    /// The same later by `count` times a unit: `Some(None)` beyond the end of the calendar, `None` if values of this
    /// kind do not move by this unit.
    #[must_use]
    pub fn moved(self, count: Option<i64>, by: Measure) -> Option<Option<TimeLiteral>> {
        let times = |scale: i64| count?.checked_mul(scale);
        match by {
            // The day of the month is kept, or becomes the last one of a shorter month.
            Measure::Months(months) => {
                self.month_start()?;
                Some(self.with_date(|date| after_months(date, times(months)?)))
            }
            Measure::Days(days) if self.date().is_some() => {
                Some(self.with_date(|date| from_epoch_day(epoch_day(date).checked_add(times(days)?)?)))
            }
            Measure::Days(days) => {
                let is_exact = matches!(self, Moment::Instant(_) | Moment::Temporal(Temporal::Duration(_)));
                is_exact.then(|| self.moved_exactly(times(days).and_then(|days| days.checked_mul(DAY_MICROS))))?
            }
            Measure::Exact(micros) => self.moved_exactly(times(micros)),
        }
    }

    fn moved_exactly(self, by: Option<i64>) -> Option<Option<TimeLiteral>> {
        let way = by.map(SignedDuration::from_micros);
        let later = |micros: i64| by.and_then(|by| micros.checked_add(by));
        let moved = match self {
            Moment::Instant(micros) => {
                let moved = later(micros).filter(|micros| Timestamp::from_microsecond(*micros).is_ok());
                return Some(moved.map(TimeLiteral::Instant));
            }
            Moment::Temporal(Temporal::DateTime(at)) => {
                way.and_then(|way| at.checked_add(way).ok()).map(Temporal::DateTime)
            }
            Moment::Temporal(Temporal::Zoned(InZone(at))) => {
                way.and_then(|way| at.checked_add(way).ok()).map(InZone).map(Temporal::Zoned)
            }
            Moment::Temporal(Temporal::Time(time)) => way.map(|way| Temporal::Time(time.wrapping_add(way))),
            Moment::Temporal(Temporal::Duration(micros)) => later(*micros).map(Temporal::Duration),
            _ => return None,
        };
        Some(moved.map(TimeLiteral::Temporal))
    }

    /// Whole units from here to another; `None` for different kinds.
    #[must_use]
    pub fn count(self, to: Moment<'_>, by: Measure) -> Option<i64> {
        match by {
            Measure::Exact(micros) => self.exact(to).map(|span| span / micros),
            // Points in time have days of 24 hours.
            Measure::Days(days) if matches!(self, Moment::Instant(_)) || matches!(to, Moment::Instant(_)) => {
                self.exact(to).map(|span| span / DAY_MICROS / days)
            }
            Measure::Days(days) => self.dates(to).map(|(a, b)| (epoch_day(b) - epoch_day(a)) / days),
            Measure::Months(months) => self.dates(to).map(|(a, b)| months_between(a, b) / months),
        }
    }

    /// Microseconds from here to another, dates taken at midnight; `None` for different kinds.
    #[must_use]
    pub fn exact(self, to: Moment<'_>) -> Option<i64> {
        if let (Some(a), Some(b)) = (self.micros(), to.micros()) {
            return b.checked_sub(a);
        }
        if let (Moment::Date(a), Moment::Date(b)) = (self, to) {
            return Some((epoch_day(b) - epoch_day(a)) * DAY_MICROS);
        }
        let span = match (self.date_time(), to.date_time()) {
            (Some(a), Some(b)) => b.duration_since(a),
            (None, None) => to.time()?.duration_since(self.time()?),
            _ => return None,
        };
        i64::try_from(span.as_micros()).ok()
    }

    /// The dates between which whole days, months and years are counted: the last day does not count before its time is
    /// reached.
    fn dates(self, other: Moment<'_>) -> Option<(Date, Date)> {
        let there = match (self.zoned(), other.zoned()) {
            (Some(a), Some(b)) => Some(Temporal::Zoned(InZone(b.with_time_zone(a.time_zone().clone())))),
            _ => None,
        };
        let other = there.as_ref().map_or(other, Moment::Temporal);
        let (from, to) = (self.month_start()?, other.month_start()?);
        let (Some(start), Some(end)) = (self.time(), other.time()) else {
            return if self.time().is_some() { None } else { Some((from, to)) };
        };
        let whole = if to > from && end < start {
            to.yesterday().ok()?
        } else if to < from && end > start {
            to.tomorrow().ok()?
        } else {
            to
        };
        Some((from, whole))
    }
}

/// A local time in the zone of another value. A time that clocks skip moves forward by the gap; of two times the first
/// is used, as in Java.
fn in_zone(at: DateTime, other: &Zoned) -> Option<Temporal> {
    at.to_zoned(other.time_zone().clone()).ok().map(InZone).map(Temporal::Zoned)
}

/// The date this many months later.
#[must_use]
pub fn after_months(date: Date, months: i64) -> Option<Date> {
    date.checked_add(Span::new().try_months(months).ok()?).ok()
}

/// Whole months from `a` to `b`, as Java counts them.
fn months_between(a: Date, b: Date) -> i64 {
    let packed = |date: Date| (i64::from(date.year()) * 12 + i64::from(date.month()) - 1) * 32 + i64::from(date.day());
    (packed(b) - packed(a)) / 32
}

impl Period {
    /// Years, months and days between two dates as Java counts them: days beyond the last whole month.
    #[must_use]
    pub fn between(from: Date, to: Date) -> Period {
        let months = months_between(from, to);
        // The day of the month is kept, or becomes the last of a shorter month.
        let reached = after_months(from, months).unwrap_or(to);
        let number = |number: i64| i32::try_from(number).unwrap_or(0);
        Period {
            years: number(months / 12),
            months: number(months % 12),
            days: number(epoch_day(to) - epoch_day(reached)),
        }
    }

    /// Years and months as months.
    #[must_use]
    pub fn all_months(self) -> i64 {
        i64::from(self.years) * 12 + i64::from(self.months)
    }

    /// The same with opposite sign.
    #[must_use]
    pub fn negated(self) -> Period {
        let [years, months, days] = [self.years, self.months, self.days].map(i32::saturating_neg);
        Period { years, months, days }
    }
}

impl Measure {
    /// In microseconds, where a day has 24 hours; longer ones have no exact length.
    #[must_use]
    pub fn exact(self) -> Option<i64> {
        match self {
            Measure::Exact(micros) => Some(micros),
            Measure::Days(1) => Some(DAY_MICROS),
            _ => None,
        }
    }
}

impl Temporal {
    /// A weekday or month `by` places later.
    #[must_use]
    pub fn turned(&self, by: i128) -> Option<Temporal> {
        let turn = |place: u8, count: i128| u8::try_from((i128::from(place) - 1 + by).rem_euclid(count) + 1).ok();
        match self {
            Temporal::DayOfWeek(day) => turn(*day, 7).map(Temporal::DayOfWeek),
            Temporal::Month(month) => turn(*month, 12).map(Temporal::Month),
            _ => None,
        }
    }
}

/// Days from 1970-01-01 to a date.
#[must_use]
pub fn epoch_day(date: Date) -> i64 {
    date.duration_since(EPOCH).as_hours() / 24
}

/// The date this many days after 1970-01-01.
#[must_use]
pub fn from_epoch_day(days: i64) -> Option<Date> {
    EPOCH.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// Microseconds since 1970 of an ISO date-time with offset, an ISO date (midnight UTC) or an RFC 2822 date-time.
#[must_use]
pub fn read_point(text: &str) -> Option<i64> {
    read_instant(text).or_else(|| Some(epoch_day(read_date(text)?) * DAY_MICROS)).or_else(|| rfc2822(text))
}

/// `Tue, 5 Mar 2024 07:15:00 +0200`; without a zone it is UTC.
fn rfc2822(text: &str) -> Option<i64> {
    const PARSER: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    if text.len() > 64 {
        return None;
    }
    let time = PARSER.parse_timestamp(text).or_else(|_| PARSER.parse_timestamp(format!("{text} +0000"))).ok()?;
    Some(time.as_microsecond())
}
