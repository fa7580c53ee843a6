//! Reading one directive: `%[argument$][flags][width][.precision]conversion`.

use super::WIDEST;
use crate::error::{Res, Signal, argument_error};

/// One directive of a format.
pub(super) struct Directive<'f> {
    /// As written, for messages.
    pub text: &'f str,
    pub argument: Argument,
    pub flags: Flags,
    pub width: Option<usize>,
    pub precision: Option<usize>,
    pub conversion: char,
}

/// Which argument a directive shows.
pub(super) enum Argument {
    None,
    Next,
    /// `%<s`: that of the directive before.
    Same,
    /// `%2$s`: by number, from 1.
    At(usize),
}

#[derive(Default)]
pub(super) struct Flags {
    pub left: bool,
    pub zero: bool,
    pub plus: bool,
    pub space: bool,
    pub parentheses: bool,
    pub comma: bool,
    pub alternate: bool,
}

impl<'f> Directive<'f> {
    /// Whether the argument is shown as `str` shows it, whole.
    pub fn is_plain_text(&self) -> bool {
        self.conversion == 's' && self.width.is_none() && self.precision.is_none()
    }

    /// Read the directive at the start of `text` (its `%` included); returns what follows.
    ///
    /// Errors with `argument_error` for what Java's formatter refuses, and above the limits.
    pub fn read(name: &str, text: &'f str) -> Res<(Directive<'f>, &'f str)> {
        let mut reader = Reader { name, whole: text, rest: text.strip_prefix('%').unwrap_or(text) };
        let by_number = reader.argument_number()?;
        let same = by_number.is_none() && reader.skip('<');
        let flags = reader.flags();
        let width = reader.figure("width")?;
        let precision = if reader.skip('.') {
            let Some(figure) = reader.figure("precision")? else { return Err(reader.unknown()) };
            Some(figure)
        } else {
            None
        };
        let Some(conversion) = reader.rest.chars().next() else { return Err(reader.unknown()) };
        reader.rest = reader.rest.get(conversion.len_utf8()..).unwrap_or_default();
        let argument = match (conversion, by_number) {
            ('n' | '%', _) => Argument::None,
            (_, Some(index)) => Argument::At(index),
            _ if same => Argument::Same,
            _ => Argument::Next,
        };
        let directive = Directive { text: reader.taken(), argument, flags, width, precision, conversion };
        directive.check(&reader)?;
        Ok((directive, reader.rest))
    }

    fn check(&self, reader: &Reader<'_, '_>) -> Res<()> {
        let Flags { left, zero, plus, space, parentheses, comma, alternate } = self.flags;
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
        if refused {
            return Err(argument_error(format!(
                "{}: a flag or precision in {} does not go with %{}; a percent sign is written %%",
                reader.name, self.text, self.conversion
            )));
        }
        if (left || zero) && self.width.is_none() {
            return Err(argument_error(format!(
                "{}: {} needs a width, for example %-8s or %05d",
                reader.name, self.text
            )));
        }
        if (left && zero) || (plus && space) {
            return Err(argument_error(format!("{}: the flags in {} exclude each other", reader.name, self.text)));
        }
        Ok(())
    }
}

struct Reader<'n, 'f> {
    name: &'n str,
    whole: &'f str,
    rest: &'f str,
}

impl<'f> Reader<'_, 'f> {
    fn taken(&self) -> &'f str {
        self.whole.get(..self.whole.len() - self.rest.len()).unwrap_or(self.whole)
    }

    fn skip(&mut self, mark: char) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn digits(&self) -> &'f str {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        self.rest.get(..end).unwrap_or_default()
    }

    fn argument_number(&mut self) -> Res<Option<usize>> {
        let digits = self.digits();
        let Some(after) =
            self.rest.get(digits.len()..).and_then(|rest| rest.strip_prefix('$')).filter(|_| !digits.is_empty())
        else {
            return Ok(None);
        };
        self.rest = after;
        match digits.parse() {
            Ok(index) => Ok(Some(index)),
            Err(_) => Err(argument_error(format!(
                "{}: there is no argument {}",
                self.name,
                digits.get(..40).unwrap_or(digits)
            ))),
        }
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        while let Some(mark) = self.rest.chars().next() {
            let flag = match mark {
                '-' => &mut flags.left,
                '0' => &mut flags.zero,
                '+' => &mut flags.plus,
                ' ' => &mut flags.space,
                '(' => &mut flags.parentheses,
                ',' => &mut flags.comma,
                '#' => &mut flags.alternate,
                _ => break,
            };
            *flag = true;
            self.skip(mark);
        }
        flags
    }

    fn figure(&mut self, what: &str) -> Res<Option<usize>> {
        let digits = self.digits();
        if digits.is_empty() {
            return Ok(None);
        }
        self.rest = self.rest.get(digits.len()..).unwrap_or_default();
        match digits.parse() {
            Ok(figure) if figure <= WIDEST => Ok(Some(figure)),
            _ => Err(argument_error(format!(
                "{}: a {what} is at most {WIDEST}, got {}",
                self.name,
                digits.get(..20).unwrap_or(digits)
            ))),
        }
    }

    fn unknown(&self) -> Box<Signal> {
        let shown: String = self.whole.chars().take(12).take_while(|c| !c.is_whitespace()).collect();
        argument_error(format!(
            "{}: unknown directive {shown}; use %s %d %f %e %x %X %o %b %c %n %%, and %% for a percent sign",
            self.name
        ))
    }
}
