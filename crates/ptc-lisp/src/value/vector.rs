//! Vectors: the one sequential kind.
//!
//! Bounded: the operations here announce what they add before they add it.

mod elements;
mod flat;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use super::trie::{Slot, Trie, WIDTH, paid};
use super::{Value, copy_to};
use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::limits::pace::Paced;
use crate::limits::release::release;

pub use elements::Elements;
use flat::{Flat, charge_copy};

/// The most elements that a write to a shared vector copies; a longer one becomes a trie.
const MAX_COPY: usize = 512;

/// An immutable vector; updated in place when it is not shared.
///
/// The elements are contiguous. A write to a *shared* vector copies up to 512 elements; a longer vector becomes a
/// persistent trie, whose versions share their common parts, and stays one. Dropping from a shared vector copies
/// nothing: the rest is a part, which knows where its elements are in the whole, until it is written to or is less than
/// a quarter of what it keeps alive.
///
/// | | side by side | trie |
/// |---|---|---|
/// | `clone`, `len` | O(1) | O(1) |
/// | `get` | O(1) | O(log32 n) |
/// | write to one element, add or drop at either end | O(1) amortised | O(log32 n) |
/// | the same, shared | O(n), n ≤ 512 | O(log32 n) |
///
/// Writes charge the meter for what they copy.
#[derive(Clone, Default)]
pub struct Vector(Arc<Node>);

#[derive(Default)]
struct Node {
    form: Form,
    /// Created by the host, so it does not count towards the memory limit. Never a trie, because only writes create
    /// tries.
    external: bool,
}

enum Form {
    Flat(Flat<Value>),
    Part(Part),
    Trie(Trie<Value>),
}

/// The elements of a vector that is not shared.
enum Own<'a> {
    Flat(&'a mut Flat<Value>),
    Trie(&'a mut Trie<Value>),
}

impl Slot for Value {
    fn is_hole(&self) -> bool {
        false
    }
}

impl Default for Form {
    fn default() -> Form {
        Form::Flat(Flat::default())
    }
}

impl From<Vec<Value>> for Form {
    fn from(items: Vec<Value>) -> Form {
        Form::Flat(Flat { items, ..Flat::default() })
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        if let Form::Flat(flat) = &mut self.form {
            if let Some(twin) = flat.twin.take() {
                release(*twin);
            }
            if !Value::are_shallow(flat.items.iter()) {
                release(std::mem::take(&mut flat.items));
            }
        } else if let Form::Trie(trie) = std::mem::take(&mut self.form) {
            release(trie);
        }
    }
}

impl Vector {
    /// The empty vector.
    #[must_use]
    pub fn new() -> Vector {
        Vector::default()
    }

    /// Number of elements.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0.form {
            Form::Flat(flat) => flat.len(),
            Form::Part(part) => part.len(),
            Form::Trie(trie) => trie.len(),
        }
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `index`.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Value> {
        match &self.0.form {
            Form::Flat(flat) => flat.items.get(flat.start.wrapping_add(index)),
            Form::Part(part) => part.get(index),
            Form::Trie(trie) => trie.get(index),
        }
    }

    /// The last element.
    #[must_use]
    pub fn last(&self) -> Option<&Value> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Both elements, when there are exactly two, as in entries of maps.
    #[must_use]
    pub fn pair(&self) -> Option<(&Value, &Value)> {
        if self.len() == 2 { self.get(0).zip(self.get(1)) } else { None }
    }

    /// Elements in order.
    #[inline]
    pub fn iter(&self) -> Elements<'_> {
        self.iter_from(0)
    }

    /// Elements in order, without the first `index`.
    #[inline]
    pub fn iter_from(&self, index: usize) -> Elements<'_> {
        match &self.0.form {
            Form::Flat(flat) => Elements { chunk: flat.live().get(index..).unwrap_or_default().iter(), behind: None },
            Form::Part(part) => Elements { chunk: part.items().get(index..).unwrap_or_default().iter(), behind: None },
            Form::Trie(trie) => {
                let chunk = trie.chunk(index);
                Elements { chunk: chunk.iter(), behind: Some((trie, index.saturating_add(chunk.len()))) }
            }
        }
    }

    /// A copy of the elements.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Value> {
        self.side_by_side().map_or_else(|| self.iter().cloned().collect(), <[Value]>::to_vec)
    }

    /// The elements, moved out when they are contiguous and this is the only holder, else copied.
    #[must_use]
    pub fn into_vec(mut self) -> Vec<Value> {
        let Some(Node { form: Form::Flat(flat), .. }) = Arc::get_mut(&mut self.0) else { return self.to_vec() };
        flat.close_gap();
        std::mem::take(&mut flat.items)
    }

    /// The element at `index`, to be changed.
    pub(crate) fn get_mut(&mut self, index: usize, meter: &mut Meter) -> Fallible<Option<&mut Value>> {
        match self.form_mut(0, meter)? {
            Own::Flat(flat) => Ok(flat.items.get_mut(flat.start.saturating_add(index))),
            Own::Trie(trie) => paid(meter, |made| trie.get_mut(index, made)),
        }
    }

    /// Add at the end; charges the growth.
    #[inline]
    pub(crate) fn push(&mut self, value: Value, meter: &mut Meter) -> Fallible<()> {
        match self.form_mut(0, meter)? {
            Own::Flat(flat) => flat.push(value, meter),
            Own::Trie(trie) => paid(meter, |made| trie.push(value, made)),
        }
    }

    /// Whether [`Vector::push_quickly`] would succeed.
    #[inline]
    pub(crate) fn has_capacity(&self) -> bool {
        matches!(&self.0.form, Form::Flat(flat) if flat.items.len() < flat.items.capacity() && flat.twin.get().is_none())
            && self.is_unique()
    }

    /// Move a value to the end, if the vector is not shared and there is capacity.
    #[inline]
    pub(crate) fn push_quickly(&mut self, value: &mut Value) -> bool {
        match self.flat_mut() {
            Some(flat) if flat.items.len() < flat.items.capacity() => {
                // As in `Value::set_int`.
                match value {
                    Value::Int(n) => flat.items.push(Value::Int(*n)),
                    Value::Float(x) => flat.items.push(Value::Float(*x)),
                    other => flat.items.push(std::mem::take(other)),
                }
                true
            }
            _ => false,
        }
    }

    /// Add copies of all of these at the end, if the vector is not shared and there is capacity for them.
    pub(crate) fn extend_quickly(&mut self, more: &Vector) -> bool {
        match self.flat_mut() {
            Some(flat) if flat.items.capacity() - flat.items.len() >= more.len() => {
                flat.items.extend(more.iter().map(Value::copy));
                true
            }
            _ => false,
        }
    }

    /// The elements, to be changed, if they are contiguous and the vector is not shared.
    #[inline]
    fn flat_mut(&mut self) -> Option<&mut Flat<Value>> {
        match Arc::get_mut(&mut self.0) {
            Some(Node { form: Form::Flat(flat), external }) if flat.twin.get().is_none() => {
                *external = false;
                Some(flat)
            }
            _ => None,
        }
    }

    /// Put the first elements into `places`, nil where there are no more; moved when the vector is not shared.
    pub(crate) fn take_apart(mut self, places: &mut [Value]) {
        if let Some(flat) = self.flat_mut() {
            let mut items = flat.items.iter_mut().skip(flat.start);
            places.iter_mut().for_each(|place| place.take_from(items.next().unwrap_or(&mut Value::Nil)));
        } else {
            let mut items = self.iter();
            places.iter_mut().for_each(|place| copy_to!(place, items.next().unwrap_or(&Value::Nil)));
        }
    }

    /// Move a value to the place of an element, if the vector is not shared.
    #[inline]
    pub(crate) fn put_quickly(&mut self, index: usize, value: &mut Value) -> bool {
        let place = self.flat_mut().and_then(|flat| flat.items.get_mut(flat.start.saturating_add(index)));
        place.map(|place| place.take_from(value)).is_some()
    }

    /// Drop the first element, if there is one and the vector is not shared.
    #[inline]
    pub(crate) fn drop_first_quickly(&mut self) -> bool {
        let Some(flat) = self.flat_mut() else { return self.keep_in_part(1, self.len().saturating_sub(1)) };
        if let Some(place) = flat.items.get_mut(flat.start) {
            place.clear();
            flat.start += 1;
        }
        true
    }

    /// Drop the last element, if there is one and the vector is not shared.
    #[inline]
    pub(crate) fn drop_last_quickly(&mut self) -> bool {
        self.flat_mut().is_some_and(|flat| flat.len() > 0 && flat.items.pop().is_some())
    }

    /// Reserve capacity for `more` elements at the end of contiguous elements; charges the growth.
    pub(crate) fn reserve(&mut self, more: usize, meter: &mut Meter) -> Fallible<()> {
        match self.form_mut(0, meter)? {
            Own::Flat(flat) => flat.reserve(more, meter),
            Own::Trie(_) => Ok(()),
        }
    }

    /// Add all of these at the end; charges the growth before anything is added.
    pub(crate) fn extend(&mut self, items: impl ExactSizeIterator<Item = Value>, meter: &mut Meter) -> Fallible<()> {
        if items.len() >= self.len() && !self.is_unique() {
            // The result is at least twice as long: copying costs no more than adding.
            charge_copy::<Value>(self.len() + items.len(), meter)?;
            meter.allocate(size_of::<Node>() + 2 * size_of::<usize>())?;
            let mut all = Vec::with_capacity(self.len() + items.len());
            let mut paced = Paced::new(self.iter().cloned(), meter);
            all.extend(paced.by_ref());
            paced.finish()?;
            *self = Vector::from(all);
        } else if let Own::Flat(flat) = self.form_mut(0, meter)?
            && flat.items.capacity() - flat.items.len() < items.len()
        {
            flat.reserve(items.len(), meter)?;
        }
        for item in items {
            meter.tick()?;
            self.push(item, meter)?;
        }
        Ok(())
    }

    /// Add at the front; charges the growth.
    pub(crate) fn push_front(&mut self, value: Value, meter: &mut Meter) -> Fallible<()> {
        match self.form_mut(self.len() + 1, meter)? {
            Own::Flat(flat) => flat.push_front(value, meter),
            Own::Trie(trie) => paid(meter, |made| trie.push_front(value, made)),
        }
    }

    /// Keep only the elements `from..to`. In place it is O(number of dropped elements), O(log32 n) for a trie.
    pub(crate) fn keep(&mut self, from: usize, to: usize, meter: &mut Meter) -> Fallible<()> {
        let to = to.min(self.len());
        let from = from.min(to);
        let kept = to - from;
        if kept == self.len() {
            return Ok(());
        }
        if self.keep_in_part(from, kept) {
            return Ok(());
        }
        let in_place = self.is_unique() && !matches!(self.0.form, Form::Part(_));
        if let (false, Some(part)) = (in_place, self.part(from, to)) {
            *self = Vector(Arc::new(Node { form: Form::Part(part), external: false }));
            return meter.allocate(size_of::<Node>());
        }
        let copied = match &self.0.form {
            _ if !in_place => kept <= MAX_COPY,
            Form::Trie(_) => kept <= WIDTH,
            Form::Flat(_) | Form::Part(_) => false,
        };
        if copied {
            // The rest is short: its elements are contiguous again.
            charge_copy::<Value>(kept, meter)?;
            *self = self.iter_from(from).take(kept).cloned().collect();
            return Ok(());
        }
        match self.form_mut(0, meter)? {
            Own::Flat(flat) => {
                meter.charge((flat.len() - kept) / 8)?;
                flat.keep(from, to);
            }
            Own::Trie(trie) => paid(meter, |made| trie.keep(from, to, made))?,
        }
        Ok(())
    }

    /// Drop the last element, if there is one.
    pub(crate) fn drop_last(&mut self, meter: &mut Meter) -> Fallible<()> {
        self.keep(0, self.len().saturating_sub(1), meter)
    }

    /// The form to be changed, not shared; a copy has `spare` free places at the front.
    #[inline]
    fn form_mut(&mut self, spare: usize, meter: &mut Meter) -> Fallible<Own<'_>> {
        let in_place = match &self.0.form {
            Form::Flat(flat) => flat.twin.get().is_none(),
            Form::Part(_) => false,
            Form::Trie(_) => true,
        };
        if !in_place || !self.is_unique() {
            self.leave(spare, meter)?;
        }
        // The branch above made this the only holder.
        match Arc::get_mut(&mut self.0) {
            Some(Node { form: Form::Flat(flat), external }) => {
                *external = false;
                Ok(Own::Flat(flat))
            }
            Some(Node { form: Form::Trie(trie), .. }) => Ok(Own::Trie(trie)),
            Some(Node { form: Form::Part(_), .. }) | None => unreachable!("a fresh vector has one holder"),
        }
    }

    /// Replace the shared node with a separate one.
    #[cold]
    fn leave(&mut self, spare: usize, meter: &mut Meter) -> Fallible<()> {
        let form = match &self.0.form {
            Form::Part(part) if part.len() > MAX_COPY => Form::Trie(part.trie(meter)?),
            Form::Part(part) => Form::Flat(Flat::copy_of(part.items(), spare, meter)?),
            Form::Trie(trie) => Form::Trie(trie.clone()),
            Form::Flat(flat) if flat.len() > MAX_COPY || flat.twin.get().is_some() => {
                Form::Trie(flat.twin(meter)?.clone())
            }
            Form::Flat(flat) => Form::Flat(Flat::copy_of(flat.live(), spare, meter)?),
        };
        meter.allocate(size_of::<Node>())?;
        self.0 = Arc::new(Node { form, external: false });
        Ok(())
    }

    /// Elements `from..to` as a part of this vector, if it may have parts.
    fn part(&self, from: usize, to: usize) -> Option<Part> {
        match &self.0.form {
            Form::Flat(_) => Part::new(self.clone(), from, to),
            Form::Part(part) => Part::new(part.of.clone(), part.from + from, part.from + to),
            Form::Trie(_) => None,
        }
    }

    /// Make a part that is not shared smaller.
    #[inline]
    fn keep_in_part(&mut self, from: usize, kept: usize) -> bool {
        match Arc::get_mut(&mut self.0) {
            Some(Node { form: Form::Part(part), .. }) if part.may_keep(kept) => {
                part.from += from;
                part.to = part.from + kept;
                true
            }
            _ => false,
        }
    }

    /// The vector of which this is a part, if it is one.
    pub(crate) fn whole(&self) -> Option<&Vector> {
        match &self.0.form {
            Form::Part(part) => Some(&part.of),
            Form::Flat(_) | Form::Trie(_) => None,
        }
    }

    /// Whether an update would happen in place.
    #[must_use]
    pub fn is_unique(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// A vector of host data, which does not count towards the memory limit.
    pub(crate) fn external(items: Vec<Value>) -> Vector {
        Vector(Arc::new(Node { form: items.into(), external: true }))
    }

    pub(crate) fn is_external(&self) -> bool {
        self.0.external
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Bytes of the vector itself and of its contiguous elements, without what they hold.
    pub(crate) fn bytes(&self) -> usize {
        let side_by_side = match &self.0.form {
            Form::Flat(flat) => flat.items.capacity() * size_of::<Value>(),
            Form::Part(_) | Form::Trie(_) => 0,
        };
        size_of::<Node>() + side_by_side
    }

    /// The elements, when they are contiguous.
    pub(crate) fn side_by_side(&self) -> Option<&[Value]> {
        match &self.0.form {
            Form::Flat(flat) => Some(flat.live()),
            Form::Part(_) | Form::Trie(_) => None,
        }
    }

    /// The trie with the elements, whether it is the main form or a second one.
    pub(crate) fn trie(&self) -> Option<&Trie<Value>> {
        match &self.0.form {
            Form::Flat(flat) => flat.twin.get().map(|twin| &**twin),
            Form::Part(_) => None,
            Form::Trie(trie) => Some(trie),
        }
    }
}

/// Up to this many elements are copied instead of kept as a part.
const FEW: usize = 4;

/// A part keeps alive at most this many times the elements that it has.
const KEEPS_ALIVE: usize = 4;

/// The elements `from..to` of another vector, which are contiguous there.
struct Part {
    of: Vector,
    from: usize,
    to: usize,
}

impl Part {
    /// Elements `from..to` of this vector; `None` when they are too few to keep the whole vector alive for them.
    fn new(of: Vector, from: usize, to: usize) -> Option<Part> {
        let part = Part { of, from, to };
        part.may_keep(part.len()).then_some(part)
    }

    /// Whether a part of this many elements may keep the vector alive.
    fn may_keep(&self, count: usize) -> bool {
        count > FEW && (self.of.is_external() || count.saturating_mul(KEEPS_ALIVE) >= self.of.len())
    }

    fn len(&self) -> usize {
        self.to - self.from
    }

    fn whole(&self) -> Option<&Flat<Value>> {
        match &self.of.0.form {
            Form::Flat(flat) => Some(flat),
            Form::Part(_) | Form::Trie(_) => None,
        }
    }

    /// The elements as a separate trie. O(log n) once the whole vector has one.
    fn trie(&self, meter: &mut Meter) -> Fallible<Trie<Value>> {
        let Some(flat) = self.whole() else { return Ok(Trie::new()) };
        let mut trie = flat.twin(meter)?.clone();
        paid(meter, |made| trie.keep(self.from, self.to, made))?;
        Ok(trie)
    }

    fn items(&self) -> &[Value] {
        self.whole().and_then(|flat| flat.live().get(self.from..self.to)).unwrap_or_default()
    }

    #[inline]
    fn get(&self, index: usize) -> Option<&Value> {
        let flat = self.whole()?;
        if index < self.to - self.from { flat.items.get(flat.start + self.from + index) } else { None }
    }
}

impl From<Vec<Value>> for Vector {
    fn from(items: Vec<Value>) -> Vector {
        Vector(Arc::new(Node { form: items.into(), external: false }))
    }
}

impl FromIterator<Value> for Vector {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Vector {
        Vector::from(items.into_iter().collect::<Vec<_>>())
    }
}

impl<'a> IntoIterator for &'a Vector {
    type Item = &'a Value;
    type IntoIter = Elements<'a>;
    fn into_iter(self) -> Elements<'a> {
        self.iter()
    }
}

impl fmt::Debug for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Value::from(self.clone()), f)
    }
}
