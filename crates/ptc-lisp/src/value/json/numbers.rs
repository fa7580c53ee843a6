//! Integers of a JSON text beyond 64 bits, which the JSON reader rounds to floats.
//!
//! Keeping every number as text would slow down all imports for the sake of a few. So the reader rounds, and where it
//! returns a float that may have been such an integer, the text decides. Numbers come in the order of the text: one
//! pass over it finds them all, and a text without large numbers is never read a second time.

use std::ops::Range;

use crate::error::Error;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::value::{push_char, push_text};

/// The smallest magnitude to which integers beyond 64 bits are rounded.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

/// Digits of an integer that is certainly within the range of floats; the reader refuses those beyond.
const IN_RANGE: usize = 300;

/// Whether a float that was read may have been written as an integer beyond 64 bits.
#[inline]
pub(super) fn is_large(x: f64) -> bool {
    x.abs() >= LARGE
}

/// Whether the text of a number is that of an integer.
pub(super) fn is_integer(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}

/// The numbers of a text that is JSON at least as far as it was read.
#[derive(Clone)]
pub(super) struct Numbers<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Numbers<'t> {
    pub fn of(text: &'t str) -> Numbers<'t> {
        Numbers { text, at: 0 }
    }

    /// The next number that the reader returns as a float for which [`is_large`] holds.
    ///
    /// Errors when the deadline has passed.
    pub fn next_large(&mut self, meter: &mut Meter) -> Result<Option<&'t str>, Box<Error>> {
        while let Some(span) = self.next(meter)? {
            let number = self.text.get(span).unwrap_or_default();
            if reads_as_large(number) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The same text with a large float instead of each integer that is too long for the reader, and everything else at
    /// its place; `None` when there is no such integer.
    ///
    /// Errors when the deadline has passed.
    pub fn shortened(mut self, meter: &mut Meter) -> Result<Option<String>, Box<Error>> {
        let (mut short, mut copied) = (String::new(), 0);
        while let Some(span) = self.next(meter)? {
            let number = self.text.get(span.clone()).unwrap_or_default();
            if number.len() > IN_RANGE && is_integer(number) {
                push_text(&mut short, self.text.get(copied..span.start).unwrap_or_default(), meter)?;
                push_text(&mut short, "1e99", meter)?;
                for _ in "1e99".len()..span.len() {
                    push_char(&mut short, ' ', meter)?;
                }
                copied = span.end;
            }
        }
        push_text(&mut short, self.text.get(copied..).unwrap_or_default(), meter)?;
        Ok((copied > 0).then_some(short))
    }

    fn next(&mut self, meter: &mut Meter) -> Result<Option<Range<usize>>, Box<Error>> {
        while let Some(first) = self.find(meter, |byte| byte == b'"' || starts_number(byte))? {
            if first == b'"' {
                self.at += 1;
                self.skip_string(meter)?;
                continue;
            }
            let start = self.at;
            // The number ends at a byte that cannot be part of it, or at the end of the text.
            self.find(meter, |byte| !starts_number(byte) && !matches!(byte, b'+' | b'.' | b'e' | b'E'))?;
            return Ok(Some(start..self.at));
        }
        Ok(None)
    }

    /// Move past the quote that ends the string.
    fn skip_string(&mut self, meter: &mut Meter) -> Result<(), Box<Error>> {
        while let Some(found) = self.find(meter, |byte| matches!(byte, b'"' | b'\\'))? {
            if found == b'"' {
                self.at += 1;
                break;
            }
            self.at += 2;
        }
        Ok(())
    }

    /// Move to the next byte of this kind, or to the end of the text.
    fn find(&mut self, meter: &mut Meter, is_meant: impl Fn(u8) -> bool) -> Result<Option<u8>, Box<Error>> {
        meter.tick()?;
        loop {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let piece = rest.get(..STRETCH).unwrap_or(rest);
            if let Some((distance, byte)) = piece.iter().enumerate().find(|(_, byte)| is_meant(**byte)) {
                self.at += distance;
                return Ok(Some(*byte));
            }
            self.at += piece.len();
            if piece.len() == rest.len() {
                return Ok(None);
            }
            meter.look_at_clock()?;
        }
    }
}

fn starts_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'-'
}

fn reads_as_large(number: &str) -> bool {
    if is_integer(number) {
        number.len() > 18 && number.parse::<i64>().is_err() && number.parse::<u64>().is_err()
    } else {
        number.parse().is_ok_and(is_large)
    }
}
