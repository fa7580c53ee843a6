//! The types of columns: a column is typed as a whole, so that `12.50` and `7.25` of one column are both numbers.

mod notes;
#[cfg(test)]
mod tests;

use ptc_lisp::values::time_from_tag;
use ptc_lisp::{Import, Value};

use super::numbers::{NotNumber, Notation, Notations, Number, Written, digits, written};
use super::options::{GivenType, ReadOptions};

/// What statistics tools write for a missing value: nil in a column whose other cells are numbers.
const MISSING: [&str; 5] = ["NA", "N/A", "NaN", "null", "NULL"];
/// Cells that are kept for notes.
const KEPT: usize = 3;

/// A cell in a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct At {
    /// The number of the file.
    pub(super) file: usize,
    /// The byte where the row begins; where all of a text is read, the number of its line.
    pub(super) place: usize,
}

/// What the cells of a column become; empty ones are nil in each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ColumnType {
    Int(Notation),
    Float(Notation),
    Percent(Notation),
    Bool,
    Date(Option<String>),
    DateTime,
    Text,
}

/// Why numbers cannot be read: they have more than one meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// No notation fits all cells.
    Mixed,
    /// `1,234`: a thousand, or one and a bit.
    Comma,
    /// `1.234` in a file with decimal commas.
    Point,
    /// This sign may be between thousands, or parts of a code.
    Groups(char),
}

/// What one cell is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sort {
    /// Nothing, or only spaces.
    Empty,
    /// What the options call missing.
    Null,
    /// What statistics tools write for a missing value.
    Missing,
    Int(i64),
    Number(Written),
    Bool(bool),
    Date(DateForm),
    Other(NotNumber),
}

/// A cell that is noted.
#[derive(Debug, Clone)]
struct Kept {
    at: At,
    text: String,
    reason: NotNumber,
}

/// How dates are written that stay text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateForm {
    /// `2024-03-01`
    Iso,
    /// `2024-03-01 12:30`
    Time,
    /// `1.3.2024`
    Dotted,
    /// `3/1/2024`
    Slashed,
}

/// What is known of a column after some of its rows.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    given: Option<GivenType>,
    /// The notations that the options leave.
    allowed: Notations,
    /// Whether the options name the decimal sign or that between thousands.
    is_notation_given: bool,
    null: Option<Vec<String>>,
    /// Cells that are not empty and not called missing by the options.
    filled: usize,
    /// Cells that are empty, or called missing by the options.
    empty: usize,
    integers: usize,
    /// Numbers that are not plain integers.
    written: usize,
    booleans: usize,
    yes_or_no: usize,
    /// Cells that mark a missing value, and the first one.
    missing: usize,
    marker: Option<String>,
    /// The notations in which all numbers are numbers.
    notations: Notations,
    has_point: bool,
    has_comma: bool,
    has_plain_space: bool,
    has_exponent: bool,
    /// The currency sign of the first amount, and how many cells have it; other signs make a column text.
    currency: Option<char>,
    with_currency: usize,
    percents: usize,
    /// The first form of a date, and how many cells have it.
    date_form: Option<DateForm>,
    dates: usize,
    /// The first cells that are not numbers, and how many there are.
    odd: Vec<Kept>,
    odd_count: usize,
    /// The first number that is not plain.
    unusual: Option<Kept>,
}

impl Column {
    /// A column without rows.
    pub(super) fn new(name: &str, options: &ReadOptions) -> Column {
        Column {
            name: name.to_owned(),
            given: options.type_of(name),
            allowed: Notations::given(options.decimal, options.thousands),
            is_notation_given: options.decimal.is_some() || options.thousands.is_some(),
            null: options.null.clone(),
            filled: 0,
            empty: 0,
            integers: 0,
            written: 0,
            booleans: 0,
            yes_or_no: 0,
            missing: 0,
            marker: None,
            notations: Notations::ALL,
            has_point: false,
            has_comma: false,
            has_plain_space: false,
            has_exponent: false,
            currency: None,
            with_currency: 0,
            percents: 0,
            date_form: None,
            dates: 0,
            odd: Vec::new(),
            odd_count: 0,
            unusual: None,
        }
    }

    /// What a cell is.
    #[inline]
    pub(super) fn sort(&self, cell: &str) -> Sort {
        let cell = trimmed(cell);
        if cell.is_empty() {
            return Sort::Empty;
        }
        if let Some(null) = &self.null
            && null.iter().any(|word| word == cell)
        {
            return Sort::Null;
        }
        let number = match digits(cell.as_bytes()) {
            Some(number) => number,
            None => match date_form(cell) {
                Some(form) => return Sort::Date(form),
                None => written(cell).map(Number::Written),
            },
        };
        match number {
            Ok(Number::Int(value)) => Sort::Int(value),
            Ok(Number::Written(written)) => Sort::Number(written),
            Err(_) if self.null.is_none() && MISSING.contains(&cell) => Sort::Missing,
            Err(reason) => match cell {
                "true" | "True" | "TRUE" => Sort::Bool(true),
                "false" | "False" | "FALSE" => Sort::Bool(false),
                _ => Sort::Other(reason),
            },
        }
    }

    /// Takes a cell into account.
    #[inline]
    pub(super) fn count(&mut self, sort: Sort, cell: &str, at: At) {
        match sort {
            Sort::Empty | Sort::Null => {
                self.empty += 1;
                return;
            }
            Sort::Int(_) => self.integers += 1,
            Sort::Number(written) => self.count_written(cell, written, at),
            Sort::Missing => {
                self.missing += 1;
                self.marker.get_or_insert_with(|| trimmed(cell).to_owned());
            }
            Sort::Date(form) => {
                self.date_form = self.date_form.or(Some(form));
                self.dates += usize::from(self.date_form == Some(form));
                self.count_odd(cell, NotNumber::Other, at);
            }
            Sort::Bool(_) => {
                self.booleans += 1;
                self.count_odd(cell, NotNumber::Other, at);
            }
            Sort::Other(reason) => {
                self.yes_or_no += usize::from(cell.len() <= 3 && truth(trimmed(cell)).is_some());
                self.count_odd(cell, reason, at);
            }
        }
        self.filled += 1;
    }

    fn count_written(&mut self, cell: &str, written: Written, at: At) {
        self.written += 1;
        self.notations = self.notations.and(written.notations);
        self.has_point |= written.has_point;
        self.has_comma |= written.has_comma;
        self.has_plain_space |= written.has_plain_space;
        self.has_exponent |= written.has_exponent;
        self.percents += usize::from(written.is_percent);
        if written.currency.is_some() {
            self.currency = self.currency.or(written.currency);
            self.with_currency += usize::from(self.currency == written.currency);
        }
        let is_plain = written.notations.has('.', None) && written.currency.is_none() && !written.is_percent;
        if !is_plain && self.unusual.is_none() {
            self.unusual = Some(Kept { at, text: trimmed(cell).to_owned(), reason: NotNumber::Other });
        }
    }

    fn count_odd(&mut self, cell: &str, reason: NotNumber, at: At) {
        self.odd_count += 1;
        if self.odd.len() < KEPT {
            self.odd.push(Kept { at, text: trimmed(cell).to_owned(), reason });
        }
    }

    /// The places of the cells that are kept.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.odd.iter().chain(&self.unusual).map(|kept| kept.at.place)
    }

    /// Gives the cells that are kept other places.
    pub(super) fn place(&mut self, place: impl Fn(usize) -> usize) {
        for kept in self.odd.iter_mut().chain(&mut self.unusual) {
            kept.at.place = place(kept.at.place);
        }
    }

    /// Takes the cells of later rows into account.
    pub(super) fn extend(&mut self, next: Column) {
        let is_same_currency = self.currency.is_none() || self.currency == next.currency;
        let is_same_form = self.date_form.is_none() || self.date_form == next.date_form;
        self.filled += next.filled;
        self.empty += next.empty;
        self.integers += next.integers;
        self.written += next.written;
        self.booleans += next.booleans;
        self.yes_or_no += next.yes_or_no;
        self.missing += next.missing;
        self.marker = self.marker.take().or(next.marker);
        self.notations = self.notations.and(next.notations);
        self.has_point |= next.has_point;
        self.has_comma |= next.has_comma;
        self.has_plain_space |= next.has_plain_space;
        self.has_exponent |= next.has_exponent;
        self.currency = self.currency.or(next.currency);
        self.with_currency += if is_same_currency { next.with_currency } else { 0 };
        self.percents += next.percents;
        self.date_form = self.date_form.or(next.date_form);
        self.dates += if is_same_form { next.dates } else { 0 };
        self.odd.extend(next.odd.into_iter().take(KEPT - self.odd.len()));
        self.odd_count += next.odd_count;
        self.unusual = self.unusual.take().or(next.unusual);
    }

    /// What the cells so far become; `has_commas` says whether points may be between thousands, by what the rest of the file is like.
    pub(super) fn ty(&self, has_commas: bool) -> ColumnType {
        let numeric = |ty: fn(Notation) -> ColumnType| ty(self.notation(has_commas).unwrap_or(Notations::PLAIN));
        match &self.given {
            Some(GivenType::Text) => ColumnType::Text,
            Some(GivenType::Bool) => ColumnType::Bool,
            Some(GivenType::Date(format)) => ColumnType::Date(format.clone()),
            Some(GivenType::DateTime) => ColumnType::DateTime,
            Some(GivenType::Int) => numeric(ColumnType::Int),
            Some(GivenType::Float) => numeric(ColumnType::Float),
            Some(GivenType::Percent) => numeric(ColumnType::Percent),
            None if self.is_numeric() => match self.notation(has_commas) {
                Ok(notation) if self.has_decimals(notation) => ColumnType::Float(notation),
                Ok(notation) => ColumnType::Int(notation),
                Err(_) => ColumnType::Text,
            },
            None if self.filled > 0 && self.filled == self.booleans => ColumnType::Bool,
            None => ColumnType::Text,
        }
    }

    /// Whether a cell can be refused, because the options give a type.
    pub(super) fn must_convert(&self) -> bool {
        self.given.as_ref().is_some_and(|given| *given != GivenType::Text)
    }

    fn numbers(&self) -> usize {
        self.integers + self.written
    }

    /// Whether every filled cell is a number, and all are amounts of one currency, or none is.
    fn is_numeric(&self) -> bool {
        let is_one_currency = self.currency.is_none() || self.with_currency == self.numbers();
        self.numbers() > 0 && self.filled == self.numbers() + self.missing && self.percents == 0 && is_one_currency
    }

    fn has_decimals(&self, notation: Notation) -> bool {
        self.has_exponent || if notation.decimal == '.' { self.has_point } else { self.has_comma }
    }

    /// Whether its numbers surely have this sign before their decimals.
    pub(super) fn surely_has(&self, decimal: char) -> bool {
        let is_sure = |notation: Notation| notation.decimal == decimal && self.has_decimals(notation);
        self.given != Some(GivenType::Text) && self.is_numeric() && self.notation(true).is_ok_and(is_sure)
    }

    /// The notation of its numbers.
    fn notation(&self, has_commas: bool) -> Result<Notation, Doubt> {
        let left = self.notations.and(self.allowed);
        let first = left.iter().next().ok_or(Doubt::Mixed)?;
        if self.is_notation_given {
            return Ok(first);
        }
        if first == Notations::PLAIN {
            let is_doubtful = self.has_point && has_commas && left.has(',', Some('.'));
            return if is_doubtful { Err(Doubt::Point) } else { Ok(first) };
        }
        if left.has('.', Some(',')) && left.has(',', None) {
            return Err(Doubt::Comma);
        }
        match first.thousands {
            None => Ok(first),
            Some(' ' | '\'') if self.has_plain_space => Ok(first),
            Some(_) if self.has_decimals(first) => Ok(first),
            Some(sign) => Err(Doubt::Groups(sign)),
        }
    }

    /// The value of a cell in a column of this type; an error says what it is not. `None` when the type is not that of the
    /// column, after all.
    #[inline]
    pub(super) fn value(
        &self,
        ty: &ColumnType,
        sort: Sort,
        cell: &str,
        import: &mut Import,
    ) -> Result<Option<Value>, &'static str> {
        let is_given = self.given.is_some();
        let value = match (ty, sort) {
            (ColumnType::Text, Sort::Empty) if !cell.is_empty() => Some(import.string(cell)),
            (_, Sort::Empty | Sort::Null) => Some(Value::Nil),
            (ColumnType::Text, _) => Some(import.string(cell)),
            (_, Sort::Missing) => Some(Value::Nil),
            (ColumnType::Int(_), Sort::Int(value)) => Some(Value::Int(value)),
            (ColumnType::Int(notation), Sort::Number(it)) if !self.has_decimal(*notation, &it) => {
                notation.int(trimmed(cell)).map(Value::Int)
            }
            (ColumnType::Float(notation), Sort::Int(_)) => notation.float(trimmed(cell)).map(Value::Float),
            (ColumnType::Float(notation), Sort::Number(it))
                if it.notations.has(notation.decimal, notation.thousands) =>
            {
                let float = it.float.filter(|_| notation.decimal == '.');
                float.or_else(|| notation.float(trimmed(cell))).map(Value::Float)
            }
            (ColumnType::Percent(notation), Sort::Number(_) | Sort::Int(_)) => {
                notation.float(trimmed(cell)).map(|value| Value::Float(value / 100.0))
            }
            (ColumnType::Bool, Sort::Bool(value)) => Some(Value::Bool(value)),
            (ty, _) if is_given => as_given(ty, trimmed(cell)),
            _ => None,
        };
        if value.is_none() && is_given { Err(ty.what()) } else { Ok(value) }
    }

    fn has_decimal(&self, notation: Notation, written: &Written) -> bool {
        let sign = if notation.decimal == '.' { written.has_point } else { written.has_comma };
        sign || written.has_exponent || !written.notations.has(notation.decimal, notation.thousands)
    }
}

/// The value of a cell that a type of the options reads, and that its column would not have otherwise.
fn as_given(ty: &ColumnType, cell: &str) -> Option<Value> {
    match ty {
        // Leading zeros, `+`, and many digits.
        ColumnType::Int(_) => cell.parse().ok().map(Value::Int),
        ColumnType::Float(_) => cell.parse().ok().filter(|value: &f64| value.is_finite()).map(Value::Float),
        ColumnType::Bool => truth(cell).map(Value::Bool),
        ColumnType::Date(None) => time_from_tag("date", cell),
        ColumnType::Date(Some(format)) => jiff::civil::Date::strptime(format, cell).ok().map(Value::Date),
        ColumnType::DateTime => date_time(cell),
        _ => None,
    }
}

/// `2024-03-01 12:30`, `2024-03-01T12:30:00Z`.
fn date_time(cell: &str) -> Option<Value> {
    let joined = cell.replacen(' ', "T", 1);
    time_from_tag("local-datetime", &joined).or_else(|| time_from_tag("inst", &joined))
}

/// A truth value as people write it.
fn truth(cell: &str) -> Option<bool> {
    match cell.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "0" => Some(false),
        _ => None,
    }
}

impl ColumnType {
    /// What its cells are, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            ColumnType::Int(_) => "integers",
            ColumnType::Float(_) => "numbers",
            ColumnType::Percent(_) => "percents",
            ColumnType::Bool => "booleans",
            ColumnType::Date(_) => "dates",
            ColumnType::DateTime => "times",
            ColumnType::Text => "text",
        }
    }

    /// What a cell must be.
    fn what(&self) -> &'static str {
        match self {
            ColumnType::Int(_) => "an integer",
            ColumnType::Float(_) => "a number; `decimal` and `thousands` say how numbers are written",
            ColumnType::Percent(_) => "a number of per cent",
            ColumnType::Bool => "a truth value, such as `true` or `no`",
            ColumnType::Date(None) => {
                "a date such as 2024-03-01; for others give their format, such as `date %d.%m.%Y`"
            }
            ColumnType::Date(Some(_)) => "a date in the format that `types` gives",
            ColumnType::DateTime => "a date with a time, such as 2024-03-01 12:30",
            ColumnType::Text => "text",
        }
    }

    /// The decimal sign of its numbers.
    pub(super) fn decimal(&self) -> Option<char> {
        match self {
            ColumnType::Float(notation) | ColumnType::Percent(notation) => Some(notation.decimal),
            _ => None,
        }
    }
}

/// Without the spaces around it.
fn trimmed(cell: &str) -> &str {
    let is_space = |byte: Option<&u8>| byte.is_some_and(|byte| *byte <= b' ' || !byte.is_ascii());
    let bytes = cell.as_bytes();
    if is_space(bytes.first()) || is_space(bytes.last()) { cell.trim() } else { cell }
}

/// How a cell writes a date, if it does.
fn date_form(cell: &str) -> Option<DateForm> {
    let bytes = cell.as_bytes();
    if !(8..=35).contains(&bytes.len()) || !bytes.first()?.is_ascii_digit() {
        return None;
    }
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    match bytes {
        [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, rest @ ..]
            if [y1, y2, y3, y4, m1, m2, d1, d2].into_iter().all(is_digit) =>
        {
            match rest {
                [] => Some(DateForm::Iso),
                [b'T' | b' ', h1, h2, b':', ..] if is_digit(h1) && is_digit(h2) => Some(DateForm::Time),
                _ => None,
            }
        }
        _ if bytes.len() > 10 => None,
        _ => {
            let form = if bytes.contains(&b'.') { DateForm::Dotted } else { DateForm::Slashed };
            let mut parts = cell.split(if form == DateForm::Dotted { '.' } else { '/' });
            let mut is_part = |most: usize| {
                parts.next().is_some_and(|part| {
                    (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
                })
            };
            let is_date = is_part(2) && is_part(2) && is_part(4) && parts.next().is_none();
            is_date.then_some(form)
        }
    }
}
