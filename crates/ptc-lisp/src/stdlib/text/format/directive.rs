//! Reading one directive: `%[argument$][flags][width][.precision]conversion`.

use super::WIDEST;
use crate::error::{Res, Signal};
use crate::stdlib::Call;

/// One directive of a format.
pub(super) struct Directive<'f> {
    /// As written, for messages.
    pub text: &'f str,
    /// Which argument it shows, from 1: the next one, one by number in `%2$s`, or that of the previous directive in
    /// `%<s`.
    pub argument: Option<usize>,
    /// Any of `-0+ (,#`.
    pub flags: &'f str,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub conversion: char,
}

/// How many arguments were shown in order, and the one shown last.
#[derive(Default)]
pub(super) struct ArgumentCursor {
    next: usize,
    last: Option<usize>,
}

impl<'f> Directive<'f> {
    /// Whether the argument is shown whole, as `str` shows it.
    pub fn is_plain_text(&self) -> bool {
        self.conversion == 's' && self.width.is_none() && self.precision.is_none()
    }

    pub fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Read the directive at the start of `text` (its `%` included); returns what follows.
    ///
    /// Errors with `argument_error` for directives that Java's formatter refuses, and above the limits.
    pub fn read(call: &Call<'_>, shown: &mut ArgumentCursor, text: &'f str) -> Res<(Directive<'f>, &'f str)> {
        let mut reader = Reader { call, whole: text, rest: text.strip_prefix('%').unwrap_or(text) };
        let by_number = reader.argument_number()?;
        let same = by_number.is_none() && reader.skip('<');
        let flags = reader.taken_while(|c| "-0+ (,#".contains(c));
        let width = reader.figure("width")?;
        let precision =
            if reader.skip('.') { Some(reader.figure("precision")?.ok_or_else(|| reader.unknown())?) } else { None };
        let Some(conversion) = reader.rest.chars().next() else { return Err(reader.unknown()) };
        reader.rest = reader.rest.get(conversion.len_utf8()..).unwrap_or_default();
        let text = reader.taken();
        let mut directive = Directive { text, argument: None, flags, width, precision, conversion };
        directive.check(&reader)?;
        directive.argument = match (conversion, by_number) {
            ('n' | '%', _) => None,
            (_, Some(index)) => Some(index),
            _ if same => {
                Some(shown.last.ok_or_else(|| call.invalid(format_args!("{text} has no directive before it")))?)
            }
            _ => {
                shown.next += 1;
                Some(shown.next)
            }
        };
        shown.last = directive.argument.or(shown.last);
        Ok((directive, reader.rest))
    }

    fn check(&self, reader: &Reader<'_, '_>) -> Res<()> {
        let [left, zero, plus, space, parentheses, comma, alternate] =
            ['-', '0', '+', ' ', '(', ',', '#'].map(|flag| self.has(flag));
        let sign = plus || space || parentheses;
        let refused = match self.conversion.to_ascii_lowercase() {
            _ if !"sdfexobcnSEXBC%".contains(self.conversion) => return Err(reader.unknown()),
            's' | 'b' | 'c' | '%' => zero || sign || comma || alternate,
            'd' => alternate || self.precision.is_some(),
            'f' => false,
            'e' => comma,
            'x' | 'o' => sign || comma || self.precision.is_some(),
            _ => left || zero || sign || comma || alternate || self.width.is_some() || self.precision.is_some(),
        };
        let (call, text) = (reader.call, self.text);
        if refused {
            return Err(call.invalid(format_args!(
                "a flag or precision in {text} does not go with %{}; a percent sign is written %%",
                self.conversion
            )));
        }
        if (left || zero) && self.width.is_none() {
            return Err(call.invalid(format_args!("{text} needs a width, for example %-8s or %05d")));
        }
        if (left && zero) || (plus && space) {
            return Err(call.invalid(format_args!("the flags in {text} exclude each other")));
        }
        Ok(())
    }
}

struct Reader<'c, 'f> {
    call: &'c Call<'c>,
    whole: &'f str,
    rest: &'f str,
}

impl<'f> Reader<'_, 'f> {
    fn taken(&self) -> &'f str {
        self.whole.get(..self.whole.len() - self.rest.len()).unwrap_or(self.whole)
    }

    fn skip(&mut self, mark: char) -> bool {
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn taken_while(&mut self, wanted: fn(char) -> bool) -> &'f str {
        let end = self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn argument_number(&mut self) -> Res<Option<usize>> {
        let before = self.rest;
        let digits = self.taken_while(|c| c.is_ascii_digit());
        if digits.is_empty() || !self.skip('$') {
            self.rest = before;
            return Ok(None);
        }
        let refused =
            |_| self.call.invalid(format_args!("there is no argument {}", digits.get(..40).unwrap_or(digits)));
        digits.parse().map(Some).map_err(refused)
    }

    fn figure(&mut self, what: &str) -> Res<Option<usize>> {
        let digits = self.taken_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        let figure = digits.parse().ok().filter(|figure| *figure <= WIDEST);
        let shown = digits.get(..20).unwrap_or(digits);
        figure.map(Some).ok_or_else(|| self.call.invalid(format_args!("a {what} is at most {WIDEST}, got {shown}")))
    }

    fn unknown(&self) -> Box<Signal> {
        // Bounded: twelve characters.
        let shown: String = self.whole.chars().take(12).take_while(|c| !c.is_whitespace()).collect();
        self.call.invalid(format_args!(
            "unknown directive {shown}; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign"
        ))
    }
}
