//! Capacity for more: buffers that announce their growth to the meter before they take it.

use crate::error::Fallible;
use crate::meter::Meter;

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
    meter.allocate((capacity - items.capacity()).saturating_mul(size_of::<T>()))?;
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
    meter.allocate(capacity - text.capacity())?;
    text.reserve_exact(capacity - text.len());
    Ok(())
}
