//! The size of values when written out, where shared parts are repeated.
//!
//! Bounded: as a count of live values is.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::{LiveCount, MAX_NESTING, Value};

/// Bytes of a scalar: about as many as in JSON.
const SCALAR: u64 = 8;

/// How many times larger a value may be when written than in memory.
const USUAL: u64 = 16;

/// How many levels of a value can be written so that writing costs no more than holding the value: at most `levels`.
///
/// Values share their parts: 60 vectors, each of which holds the previous one twice, are small in memory and `2^60`
/// elements when written. Code that writes values of programs, as JSON or as text, calls this first. When written, a
/// value may take 16 times its memory, in about the bytes of JSON; input data counts where it occurs first.
///
/// Linear in that, about 10 ns for each element. The contents of cells do not count.
///
/// ```
/// use ptc_lisp::{Session, SessionOptions, no_tools};
/// use ptc_lisp::values::writable_levels;
///
/// let value = |program| Session::new(SessionOptions::default()).run(program, &mut no_tools).value().cloned().unwrap();
/// assert_eq!(writable_levels(&value("(range 1000)"), 512), 512);
/// assert!(writable_levels(&value("(loop [v [1] n 0] (if (< n 60) (recur [v v] (inc n)) v))"), 512) < 20);
/// ```
#[must_use]
pub fn writable_levels(value: &Value, levels: usize) -> usize {
    let mut live = LiveCount::new();
    live.add(value);
    // A scalar takes no memory beyond its value.
    let limit = USUAL * (SCALAR + live.bytes());
    let fits = |levels: usize| TextBudget { left: limit, input: HashMap::default() }.takes(value, levels);
    if fits(levels) {
        return levels;
    }
    let (mut most, mut too_many) = (0, levels);
    while too_many - most > 1 {
        let middle = most.midpoint(too_many);
        *(if fits(middle) { &mut most } else { &mut too_many }) = middle;
    }
    most
}

/// Whether the text of a value, as JSON or as people read it, surely has more bytes than this. Holds no memory, so it comes
/// before the text: a value that shares its parts would fill what a text may take, and be refused then.
pub(crate) fn is_surely_longer(value: &Value, bytes: u64) -> bool {
    !TextBudget { left: bytes, input: HashMap::default() }.takes(value, MAX_NESTING)
}

/// What may still be written.
struct TextBudget {
    left: u64,
    /// Sizes of input data, by address.
    input: HashMap<usize, u64, foldhash::fast::RandomState>,
}

impl TextBudget {
    /// Whether this many levels of the value still fit. Keys and exceptions are written as one text, with all levels.
    fn takes(&mut self, value: &Value, levels: usize) -> bool {
        let Some(below) = levels.checked_sub(1) else { return self.bytes(SCALAR) };
        if let Some(sharing) = value.sharing().filter(|sharing| sharing.external) {
            return self.takes_input(sharing.address, value);
        }
        match value {
            Value::Vector(_) | Value::Set(_) => self.bytes(SCALAR) && value.parts().all(|item| self.takes(item, below)),
            Value::Map(map) => {
                self.bytes(SCALAR)
                    && map.iter().all(|(key, item)| self.takes(key, MAX_NESTING) && self.takes(item, below))
            }
            Value::Reduced(inner) => self.takes(inner.get(), below),
            Value::Exception(exception) => {
                self.bytes(SCALAR + exception.message.len() as u64)
                    && exception.attached.values().all(|inner| self.takes(inner, MAX_NESTING))
            }
            scalar => self.bytes(size_of_scalar(scalar)),
        }
    }

    /// Input takes no memory of the program, so it adds to the space where it occurs first.
    fn takes_input(&mut self, address: usize, value: &Value) -> bool {
        let size = match self.input.get(&address) {
            Some(known) => *known,
            None => {
                let size = size_of_tree(value);
                self.input.insert(address, size);
                self.left = self.left.saturating_add(USUAL.saturating_mul(size));
                size
            }
        };
        self.bytes(size)
    }

    fn bytes(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

fn size_of_scalar(value: &Value) -> u64 {
    let text = match value {
        Value::Str(text) | Value::Uuid(text) => text.as_str().len(),
        Value::Keyword(name) | Value::Symbol(name) | Value::Var(name) => name.as_str().len(),
        Value::Temporal(temporal) => temporal.bytes(),
        _ => 0,
    };
    SCALAR + text as u64
}

/// The size of input, which shares no collections because it comes from JSON.
fn size_of_tree(value: &Value) -> u64 {
    let mut open = vec![value];
    let mut size = 0;
    while let Some(value) = open.pop() {
        size += size_of_scalar(value);
        open.extend(value.parts());
    }
    size
}
