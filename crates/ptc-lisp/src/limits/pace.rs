//! Long passes over elements that are already paid for: they look at the clock on the way.

use crate::error::{Error, Fallible};
use crate::limits::meter::{Meter, PACE};

/// An iterator that ends early when the deadline passes; [`Paced::finish`] reports that.
pub(crate) struct Paced<'m, I> {
    items: I,
    meter: &'m mut Meter,
    /// Elements left before the next look at the clock.
    left: usize,
    late: Option<Box<Error>>,
}

impl<'m, I: Iterator> Paced<'m, I> {
    pub fn new(items: I, meter: &'m mut Meter) -> Paced<'m, I> {
        Paced { items, meter, left: PACE, late: None }
    }

    /// Errors when the deadline ended the pass: then the result of the pass is incomplete.
    pub fn finish(self) -> Fallible<()> {
        self.late.map_or(Ok(()), Err)
    }

    #[cold]
    fn goes_on(&mut self) -> bool {
        if self.late.is_none() {
            self.late = self.meter.look_at_clock().err();
        }
        let goes_on = self.late.is_none();
        self.left = if goes_on { PACE } else { 0 };
        goes_on
    }
}

impl<I: Iterator> Iterator for Paced<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.left == 0 && !self.goes_on() {
            return None;
        }
        self.left -= 1;
        self.items.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Paced<'_, I> {}

/// Bytes of text that a pass handles between two looks at the clock.
pub(crate) const STRETCH: usize = 1 << 16;

/// Cuts the next piece from the front of `rest`: all of a short text, else [`STRETCH`] bytes or slightly fewer.
///
/// Errors when the deadline has passed; a short text costs no look at the clock.
#[inline]
pub(crate) fn next_piece<'t>(rest: &mut &'t str, meter: &mut Meter) -> Fallible<Option<&'t str>> {
    if rest.len() <= STRETCH {
        return Ok(Some(std::mem::take(rest)).filter(|piece| !piece.is_empty()));
    }
    meter.look_at_clock()?;
    let (piece, after) = rest.split_at(rest.floor_char_boundary(STRETCH));
    *rest = after;
    Ok(Some(piece))
}

/// Like [`next_piece`], from the end.
#[inline]
pub(crate) fn last_piece<'t>(rest: &mut &'t str, meter: &mut Meter) -> Fallible<Option<&'t str>> {
    if rest.len() <= STRETCH {
        return Ok(Some(std::mem::take(rest)).filter(|piece| !piece.is_empty()));
    }
    meter.look_at_clock()?;
    let (before, piece) = rest.split_at(rest.ceil_char_boundary(rest.len() - STRETCH));
    *rest = before;
    Ok(Some(piece))
}
