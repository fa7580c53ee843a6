//! Growing buffers: everything that builtins and values append to announces its growth to the meter before it takes it.
//!
//! `cargo xtask tidy` refuses other ways to grow a text or a collection in `stdlib` and `value`.

use crate::error::Fallible;
use crate::limits::meter::{Meter, PACE};
use crate::limits::pace::{STRETCH, next_piece};
use crate::limits::release::{Held, Unfinished};

/// From this many bytes on, a buffer grows by a quarter instead of doubling: it may not hold much more than it uses.
const LARGE: usize = 1 << 20;

/// The new capacity of a buffer of `capacity` places, `size` bytes each, that must hold `needed`.
fn grown(capacity: usize, needed: usize, size: usize) -> usize {
    let step = if capacity.saturating_mul(size) < LARGE { capacity } else { capacity / 4 };
    needed.max(capacity.saturating_add(step)).max(4)
}

/// Reserve capacity for `more` elements. Amortised O(1) per element.
///
/// Errors when the growth does not fit the memory limit; the elements stay unchanged.
#[inline]
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize, meter: &mut Meter) -> Fallible<()> {
    if items.capacity() - items.len() >= more { Ok(()) } else { grow(items, more, meter) }
}

#[cold]
fn grow<T>(items: &mut Vec<T>, more: usize, meter: &mut Meter) -> Fallible<()> {
    let capacity = grown(items.capacity(), items.len().saturating_add(more), size_of::<T>());
    announce(items.capacity(), capacity, size_of::<T>(), meter)?;
    items.reserve_exact(capacity - items.len());
    Ok(())
}

/// Reserve capacity for `more` bytes of text, like [`reserve`] for elements.
#[inline]
pub(crate) fn reserve_text(text: &mut String, more: usize, meter: &mut Meter) -> Fallible<()> {
    if text.capacity() - text.len() >= more { Ok(()) } else { grow_text(text, more, meter) }
}

#[cold]
fn grow_text(text: &mut String, more: usize, meter: &mut Meter) -> Fallible<()> {
    let capacity = grown(text.capacity(), text.len().saturating_add(more), 1);
    announce(text.capacity(), capacity, 1, meter)?;
    text.reserve_exact(capacity - text.len());
    Ok(())
}

/// Announce that a buffer grows; a large one is copied, which takes time.
#[inline]
fn announce(old: usize, new: usize, size: usize, meter: &mut Meter) -> Fallible<()> {
    meter.allocate((new - old).saturating_mul(size))?;
    if new.saturating_mul(size) >= LARGE { meter.look_at_clock() } else { Ok(()) }
}

/// Append an element. Amortised O(1).
///
/// Errors when the growth does not fit the memory limit; the elements stay unchanged.
#[inline]
pub(crate) fn push<T>(items: &mut Vec<T>, item: T, meter: &mut Meter) -> Fallible<()> {
    reserve(items, 1, meter)?;
    items.push(item);
    Ok(())
}

/// Append all of `more`, looking at the clock on the way; what the iterator promises is announced at once.
///
/// Errors when the growth does not fit the memory limit, or the deadline has passed.
pub(crate) fn extend<T>(items: &mut Vec<T>, mut more: impl Iterator<Item = T>, meter: &mut Meter) -> Fallible<()> {
    let promised = more.size_hint().0;
    let missing = promised.saturating_sub(items.capacity() - items.len());
    meter.allocate(missing.saturating_mul(size_of::<T>()))?;
    if missing > 0 {
        items.reserve_exact(promised);
    }
    loop {
        let portion = PACE.min(items.capacity() - items.len());
        let full = items.len() + portion;
        items.extend(more.by_ref().take(portion));
        // An iterator may end with its portion, so the next portion costs nothing before there is a next element.
        let Some(next) = (if items.len() < full { None } else { more.next() }) else { return Ok(()) };
        if portion == PACE {
            meter.look_at_clock()?;
        }
        push(items, next, meter)?;
    }
}

/// The elements in a new vector, like [`extend`].
pub(crate) fn gathered<T: Held>(items: impl Iterator<Item = T>, meter: &mut Meter) -> Fallible<Vec<T>> {
    let (least, most) = items.size_hint();
    if most == Some(least) && least <= PACE {
        // A few elements are all there before the clock must be looked at.
        meter.allocate(least * size_of::<T>())?;
        let mut few = Vec::with_capacity(least);
        few.extend(items.take(least));
        return Ok(few);
    }
    let mut gathered = Unfinished::default();
    extend(&mut gathered, items, meter)?;
    Ok(gathered.finish())
}

/// Append a text; a long one in pieces, because touching new pages costs more than the copy.
///
/// Errors when the growth does not fit the memory limit, or the deadline has passed.
#[inline(always)]
pub(crate) fn push_text(out: &mut String, text: &str, meter: &mut Meter) -> Fallible<()> {
    reserve_text(out, text.len(), meter)?;
    match text.as_bytes() {
        // Most separators are one byte, and storing one takes no call.
        [byte] => out.push(char::from(*byte)),
        _ if text.len() <= STRETCH => out.push_str(text),
        _ => push_long(out, text, meter)?,
    }
    Ok(())
}

#[cold]
fn push_long(out: &mut String, text: &str, meter: &mut Meter) -> Fallible<()> {
    let mut rest = text;
    while let Some(piece) = next_piece(&mut rest, meter)? {
        out.push_str(piece);
    }
    Ok(())
}

/// Append bytes of a text, like [`push_text`].
pub(crate) fn push_bytes(out: &mut Vec<u8>, bytes: &[u8], meter: &mut Meter) -> Fallible<()> {
    reserve(out, bytes.len(), meter)?;
    for piece in bytes.chunks(STRETCH) {
        if bytes.len() > STRETCH {
            meter.look_at_clock()?;
        }
        out.extend_from_slice(piece);
    }
    Ok(())
}

/// Append a character.
///
/// Errors when the growth does not fit the memory limit.
#[inline]
pub(crate) fn push_char(out: &mut String, c: char, meter: &mut Meter) -> Fallible<()> {
    reserve_text(out, c.len_utf8(), meter)?;
    out.push(c);
    Ok(())
}

/// An empty text with capacity for `bytes`.
///
/// Errors when they do not fit the memory limit.
pub(crate) fn text_for(bytes: usize, meter: &mut Meter) -> Fallible<String> {
    meter.allocate(bytes)?;
    Ok(String::with_capacity(bytes))
}
