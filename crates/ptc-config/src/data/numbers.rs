//! How numbers are written: with a decimal point or comma, with something between thousands, with a currency sign.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

/// Significant digits of a number without a decimal sign: longer ones are probably ids, and floats would round them.
const MAX_DIGITS: usize = 15;
/// Powers of ten up to those digits.
const POWERS: [f64; MAX_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
/// Signs in front of or after an amount.
const CURRENCIES: [char; 11] = ['$', '€', '£', '¥', '₹', '₽', '₩', '₺', '₪', '฿', '₴'];
/// Spaces between thousands.
const SPACES: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// A way of writing numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notation {
    pub(super) decimal: char,
    /// What is between thousands; a space stands for every kind of space.
    pub(super) thousands: Option<char>,
}

/// All ways; the first one is that of programming languages.
const NOTATIONS: [Notation; 8] = [
    Notation { decimal: '.', thousands: None },
    Notation { decimal: '.', thousands: Some(',') },
    Notation { decimal: '.', thousands: Some('\'') },
    Notation { decimal: '.', thousands: Some(' ') },
    Notation { decimal: ',', thousands: None },
    Notation { decimal: ',', thousands: Some('.') },
    Notation { decimal: ',', thousands: Some(' ') },
    Notation { decimal: ',', thousands: Some('\'') },
];

/// A set of notations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Notations(u8);

impl Notations {
    pub(super) const ALL: Notations = Notations(0xFF);
    const NONE: Notations = Notations(0);
    pub(super) const PLAIN: Notation = Notation { decimal: '.', thousands: None };

    /// Those with this decimal sign and this sign between thousands, where they are given.
    pub(super) fn given(decimal: Option<char>, thousands: Option<char>) -> Notations {
        Notations::that(|notation| {
            decimal.is_none_or(|decimal| notation.decimal == decimal)
                && thousands.is_none_or(|sign| notation.thousands == Some(sign) || notation.thousands.is_none())
                && thousands.is_none_or(|sign| notation.decimal != sign)
        })
    }

    fn that(is_one: impl Fn(Notation) -> bool) -> Notations {
        let bits = NOTATIONS.iter().enumerate().filter(|(_, notation)| is_one(**notation)).map(|(at, _)| 1 << at);
        Notations(bits.sum())
    }

    pub(super) fn and(self, other: Notations) -> Notations {
        Notations(self.0 & other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn has(self, decimal: char, thousands: Option<char>) -> bool {
        self.iter().any(|notation| notation == Notation { decimal, thousands })
    }

    /// The notations, the plain ones first.
    pub(super) fn iter(self) -> impl Iterator<Item = Notation> {
        NOTATIONS.into_iter().enumerate().filter(move |(at, _)| self.0 & (1 << at) != 0).map(|(_, notation)| notation)
    }
}

/// A cell that is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    /// An integer of ordinary digits, in every notation.
    Int(i64),
    /// Anything else that is a number in some notation.
    Written(Written),
}

/// What is known of a number that is more than digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Written {
    /// The notations in which it is a number.
    pub(super) notations: Notations,
    pub(super) has_point: bool,
    pub(super) has_comma: bool,
    /// Signs between thousands that nothing else uses: apostrophes and spaces that do not break lines.
    pub(super) has_plain_space: bool,
    pub(super) has_exponent: bool,
    pub(super) currency: Option<char>,
    pub(super) is_percent: bool,
    /// Its value with a decimal point, where that is known already.
    pub(super) float: Option<f64>,
}

/// Why a cell is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotNumber {
    Other,
    LeadingZero,
    Plus,
    TooLong,
}

impl fmt::Display for NotNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotNumber::Other => f.write_str("is not a number"),
            NotNumber::LeadingZero => f.write_str("has a leading zero"),
            NotNumber::Plus => f.write_str("begins with `+`"),
            NotNumber::TooLong => write!(f, "has more than {MAX_DIGITS} digits"),
        }
    }
}

/// Reads a cell that has no spaces around it. Cost: constant for most texts, else linear.
pub(super) fn number(cell: &str) -> Result<Number, NotNumber> {
    match digits(cell.as_bytes()) {
        Some(found) => found,
        None => written(cell).map(Number::Written),
    }
}

/// The usual cells: up to 15 digits, maybe with a decimal point; `None` for all others.
pub(super) fn digits(cell: &[u8]) -> Option<Result<Number, NotNumber>> {
    let (unsigned, is_negative) = match cell {
        [b'-', rest @ ..] => (rest, true),
        _ => (cell, false),
    };
    if unsigned.len() > MAX_DIGITS || !unsigned.first()?.is_ascii_digit() {
        return None;
    }
    let (mut value, mut point) = (0_i64, None);
    for (at, byte) in unsigned.iter().enumerate() {
        match byte {
            b'0'..=b'9' => value = value * 10 + i64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(at),
            _ => return None,
        }
    }
    let whole = point.unwrap_or(unsigned.len());
    if whole > 1 && unsigned.first() == Some(&b'0') {
        return Some(Err(NotNumber::LeadingZero));
    }
    let Some(point) = point else { return Some(Ok(Number::Int(if is_negative { -value } else { value }))) };
    let fraction = unsigned.len() - point - 1;
    // Both are exact, so that their quotient is the nearest float.
    let float =
        POWERS.get(fraction).map(|power| value as f64 / power).map(|float| if is_negative { -float } else { float });
    // A group of three after a point may be thousands.
    let is_group = fraction == 3 && point <= 3 && unsigned.first() != Some(&b'0');
    let point_is_decimal = 0b1111;
    let notations = Notations(if is_group { point_is_decimal | 0b10_0000 } else { point_is_decimal });
    (fraction > 0).then_some(Ok(Number::Written(Written { has_point: true, float, ..Written::plain(notations) })))
}

impl Written {
    fn plain(notations: Notations) -> Written {
        Written {
            notations,
            has_point: false,
            has_comma: false,
            has_plain_space: false,
            has_exponent: false,
            currency: None,
            is_percent: false,
            float: None,
        }
    }
}

/// The slow path: any number that some notation has.
pub(super) fn written(cell: &str) -> Result<Written, NotNumber> {
    let starts_well = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+') || CURRENCIES.contains(&c);
    let is_word = cell.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    if is_word || !cell.starts_with(starts_well) {
        return Err(NotNumber::Other);
    }
    let Parts { body, currency, is_percent, .. } = parts(cell);
    if body.strip_prefix('+').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(NotNumber::Plus);
    }
    let mut notations = Notations::NONE;
    let mut reason = NotNumber::Other;
    for (at, notation) in NOTATIONS.into_iter().enumerate() {
        match notation.check(body) {
            Ok(()) => notations.0 |= 1 << at,
            Err(NotNumber::Other) => {}
            Err(other) => reason = other,
        }
    }
    if notations.is_empty() {
        return Err(reason);
    }
    Ok(Written {
        has_point: body.contains('.'),
        has_comma: body.contains(','),
        has_plain_space: body.contains(['\'', '\u{a0}', '\u{202f}']),
        has_exponent: body.contains(['e', 'E']),
        currency,
        is_percent,
        ..Written::plain(notations)
    })
}

/// The pieces of an amount.
struct Parts<'c> {
    is_negative: bool,
    /// The digits with what is between them.
    body: &'c str,
    currency: Option<char>,
    is_percent: bool,
}

/// `-$ 1,5`, `$-1,5`, `1,5 €`, `12 %`.
fn parts(cell: &str) -> Parts<'_> {
    let (body, mut is_negative) = unsigned(cell);
    let currency = |c: char| CURRENCIES.contains(&c);
    let (mut body, mut sign) = match body.chars().next().filter(|c| currency(*c)) {
        Some(sign) => (body.get(sign.len_utf8()..).unwrap_or_default().trim_start_matches(SPACES), Some(sign)),
        None => (body, None),
    };
    if sign.is_some() && !is_negative {
        (body, is_negative) = unsigned(body);
    }
    if let Some(last) = body.chars().next_back().filter(|c| sign.is_none() && currency(*c)) {
        sign = Some(last);
        body = body.strip_suffix(last).unwrap_or(body).trim_end_matches(SPACES);
    }
    let percent = body.strip_suffix('%').filter(|_| sign.is_none());
    let body = percent.map_or(body, |body| body.trim_end_matches(SPACES));
    Parts { is_negative, body, currency: sign, is_percent: percent.is_some() }
}

fn unsigned(text: &str) -> (&str, bool) {
    text.strip_prefix('-').map_or((text, false), |rest| (rest, true))
}

impl Notation {
    /// Whether the digits of a number are written like this.
    fn check(self, body: &str) -> Result<(), NotNumber> {
        let (mantissa, exponent) = match body.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
            None => (body, None),
        };
        let (whole, fraction) = match mantissa.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let is_number = [fraction, exponent].into_iter().flatten().all(is_digits) && self.is_whole(whole);
        if !is_number || self.float_of(body).is_none_or(f64::is_infinite) {
            return Err(NotNumber::Other);
        }
        let digits = whole.bytes().filter(u8::is_ascii_digit).count();
        match whole.strip_prefix('0') {
            Some(rest) if !rest.is_empty() => Err(NotNumber::LeadingZero),
            _ if fraction.is_none() && digits > MAX_DIGITS => Err(NotNumber::TooLong),
            _ => Ok(()),
        }
    }

    /// Digits, or groups of three of them.
    fn is_whole(self, whole: &str) -> bool {
        let Some(sign) = self.thousands else { return is_digits(whole) };
        let is_sign = |c: char| if sign == ' ' { SPACES.contains(&c) } else { c == sign };
        let mut groups = whole.split(is_sign);
        let first = groups.next().unwrap_or_default();
        let is_grouped = whole.len() > first.len();
        is_digits(first)
            && (!is_grouped || first.len() <= 3)
            && groups.all(|group| group.len() == 3 && is_digits(group))
    }

    /// The text as programming languages write it.
    fn plain(self, body: &str) -> Cow<'_, str> {
        if self == Notations::PLAIN {
            return Cow::Borrowed(body);
        }
        let is_kept = |c: &char| match self.thousands {
            Some(' ') => !SPACES.contains(c),
            Some(sign) => *c != sign,
            None => true,
        };
        body.chars().filter(is_kept).map(|c| if c == self.decimal { '.' } else { c }).collect()
    }

    fn float_of(self, body: &str) -> Option<f64> {
        self.plain(body).parse().ok()
    }

    /// The value of a cell that is a number in this notation.
    pub(super) fn float(self, cell: &str) -> Option<f64> {
        if let (Notations::PLAIN, Ok(value)) = (self, cell.parse()) {
            return Some(value);
        }
        let Parts { is_negative, body, .. } = parts(cell);
        self.float_of(body).map(|value| if is_negative { -value } else { value })
    }

    /// The same for a number without a decimal sign.
    pub(super) fn int(self, cell: &str) -> Option<i64> {
        let Parts { is_negative, body, .. } = parts(cell);
        self.plain(body).parse::<i64>().ok().map(|value| if is_negative { -value } else { value })
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
