//! The formatter: values as text that a model reads.

use std::{fmt, io};

use super::{CellRef, LazySeq, Map, Set, Value, Vector, key_name, push, push_char, push_text};
use super::{MAX_NESTING, number, print_float, readable_float};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;

mod lines;
mod scalar;
#[cfg(test)]
mod tests;

pub use lines::format_lines;
pub(crate) use lines::write_lines;
use scalar::write_atom;
pub(crate) use scalar::{instant_text, quoted, write_quoted, write_scalar};

/// How much of a value is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FormatOptions {
    /// Elements or entries shown of a collection, at every level.
    pub limit: Option<usize>,
    /// Characters shown of each string.
    pub printable_limit: Option<usize>,
    /// Leave out map entries whose keyword or string key starts with `_`.
    pub hide: bool,
    /// Round floats to 10 decimals, which do not read back: for text that is only looked at.
    pub round: bool,
}

impl FormatOptions {
    /// Samples of data and definitions: 3 elements, 80 characters.
    #[must_use]
    pub fn sample() -> FormatOptions {
        FormatOptions { limit: Some(3), printable_limit: Some(80), hide: true, round: true }
    }

    /// Arguments of tool calls: 3 elements, 60 characters.
    #[must_use]
    pub fn tool_args() -> FormatOptions {
        FormatOptions { limit: Some(3), printable_limit: Some(60), hide: true, round: true }
    }

    /// Values quoted in error messages: 3 elements, 40 characters.
    #[must_use]
    pub fn error_quote() -> FormatOptions {
        FormatOptions { limit: Some(3), printable_limit: Some(40), hide: true, round: true }
    }

    /// Everything but hidden entries, as `pr` writes it: what can be read back.
    #[must_use]
    pub fn full() -> FormatOptions {
        FormatOptions { limit: None, printable_limit: None, hide: true, round: false }
    }

    /// Everything but hidden entries, as `println` writes it.
    #[must_use]
    pub fn printed() -> FormatOptions {
        FormatOptions { round: true, ..FormatOptions::full() }
    }
}

/// The text of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    /// The text, without anything that a terminal would obey: one line, except of [`format_lines`].
    pub text: String,
    /// Whether a limit left something out; hiding does not count.
    pub truncated: bool,
}

/// What is known of a lazily realised sequence.
#[derive(Clone, Debug, Default)]
pub struct Realised {
    /// The elements realised so far, from the position of the reference.
    pub items: Vec<Value>,
    /// Whether these are all.
    pub complete: bool,
}

/// Where the contents of atoms and lazily realised sequences are found, and which hidden entries are shown.
pub trait Cells {
    /// What an atom, volatile or delay holds now; `None` for a delay that has not run.
    fn content(&self, _cell: CellRef) -> Option<Value> {
        None
    }
    /// The realised part of a sequence; must not realise more.
    fn realised(&self, _generator: LazySeq) -> Option<Realised> {
        None
    }
    /// Whether entries of this name are shown although it begins with `_`.
    fn shows(&self, _name: &str) -> bool {
        false
    }
}

/// No session at hand: atoms are `#<atom>`, unrealised sequences `#<seq>`.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoCells;

impl Cells for NoCells {}

/// The text of `value` without a session. It stops with ` ...` at 16 MB, so a value that shares its parts a million
/// times is harmless.
#[must_use]
pub fn format(value: &Value, options: &FormatOptions) -> Formatted {
    format_with(value, options, &NoCells)
}

/// Like [`format()`], with the contents of `cells`.
#[must_use]
pub fn format_with(value: &Value, options: &FormatOptions, cells: &dyn Cells) -> Formatted {
    written(value, options, cells, 16 << 20)
}

/// Like [`format()`], with at most this many characters in total, then `...`. Limits of elements apply at each level,
/// so nested values get long without this. The cost depends on the characters, not on the value.
///
/// ```
/// use ptc_lisp::text::{FormatOptions, format_within};
/// use ptc_lisp::Value;
///
/// let nested = (0..9).fold(Value::Int(1), |inner, _| Value::vector(vec![inner; 3]));
/// assert_eq!(format_within(&nested, &FormatOptions::sample(), 12).text, "[[[[[[[[[1 1...");
/// ```
#[must_use]
pub fn format_within(value: &Value, options: &FormatOptions, characters: usize) -> Formatted {
    format_within_with(value, options, &NoCells, characters)
}

/// Like [`format_within`], with the contents of `cells`.
#[must_use]
pub fn format_within_with(value: &Value, options: &FormatOptions, cells: &dyn Cells, characters: usize) -> Formatted {
    // A character has at most four bytes; the formatter itself needs a few kilobytes.
    let Formatted { mut text, mut truncated } = written(value, options, cells, 4 * characters as u64 + (16 << 10));
    if let Some((end, _)) = text.char_indices().nth(characters) {
        text.truncate(end);
        // Bounded: the mark of a cut.
        text.push_str("...");
        truncated = true;
    }
    Formatted { text, truncated }
}

/// The text that a program would read back, as `pr-str` writes it: strings are quoted, entries whose keys start with `_`
/// are left out. At most 16 MB.
///
/// ```
/// let value = ptc_lisp::Value::from_json(serde_json::json!({"item": "tea", "cents": [350, 12.5], "_key": 1}));
/// assert_eq!(value.to_string(), r#"{:item "tea" :cents [350 12.5]}"#);
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format(self, &FormatOptions::full()).text)
    }
}

/// As [`Display`](fmt::Display), at most 2,000 characters: what is compared in tests and written to logs.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_within(self, &FormatOptions::full(), 2_000).text)
    }
}

fn written(value: &Value, options: &FormatOptions, cells: &dyn Cells, bytes: u64) -> Formatted {
    let mut meter = Meter::host_within(bytes);
    let mut text = String::new();
    match write_value(&mut text, value, options, cells, &mut meter) {
        Ok(truncated) => Formatted { text, truncated },
        Err(_) => Formatted { text: text + " ...", truncated: true },
    }
}

/// Write the text of `value` piece by piece, so that one of any length takes little memory.
///
/// Errors with [`FileTooLarge`](io::ErrorKind::FileTooLarge) and writes nothing when it has more than `most` bytes: a
/// value that shares its parts can have a text without end. Errors when `out` does. Cost: twice the work of
/// [`format()`].
///
/// ```
/// use ptc_lisp::text::{FormatOptions, write_formatted};
/// use ptc_lisp::Value;
///
/// let (value, mut out) = (Value::vector(vec![Value::Int(1); 3]), Vec::new());
/// write_formatted(&value, &FormatOptions::full(), 1_000, &mut out)?;
/// assert_eq!(out, b"[1 1 1]");
/// assert!(write_formatted(&value, &FormatOptions::full(), 5, &mut out).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_formatted(value: &Value, options: &FormatOptions, most: u64, out: &mut dyn io::Write) -> io::Result<()> {
    let mut left = most;
    in_pieces(value, options, &mut |piece| {
        left = left.checked_sub(piece.len() as u64).ok_or_else(|| {
            let told = std::format!("as text, the value is longer than {most} bytes: return less of it");
            io::Error::new(io::ErrorKind::FileTooLarge, told)
        })?;
        Ok(())
    })?;
    in_pieces(value, options, &mut |piece| out.write_all(piece.as_bytes()))
}

fn in_pieces(value: &Value, options: &FormatOptions, take: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    let (mut text, mut meter) = (String::new(), Meter::host());
    let mut writer = Writer::new(&mut text, options, &NoCells, &mut meter);
    let mut goes_on = writer.value(value, *options).is_ok();
    loop {
        if !goes_on || writer.out.len() >= STRETCH {
            take(writer.out)?;
            writer.out.clear();
        }
        if !goes_on {
            return Ok(());
        }
        // The meter of a host refuses nothing that fits into the memory of a machine.
        goes_on = writer.advance().unwrap_or_default();
    }
}

/// The text of `value` as `str` shows it; bounded like [`format()`].
#[must_use]
pub fn display_text(value: &Value) -> String {
    let mut meter = Meter::host_within(16 << 20);
    let mut text = String::new();
    match write_text(&mut text, value, &NoCells, &mut meter) {
        Ok(()) => text,
        Err(_) => text + " ...",
    }
}

/// Append the text of `value`; returns whether a limit left something out.
///
/// Charges one unit per element and the memory of the text while it grows, so a value that shares its parts a million
/// times hits a limit. Never recurses on the native stack.
pub(crate) fn write_value(
    out: &mut String,
    value: &Value,
    options: &FormatOptions,
    cells: &dyn Cells,
    meter: &mut Meter,
) -> Res<bool> {
    let mut writer = Writer::new(out, options, cells, meter);
    writer.value(value, *options)?;
    while writer.advance()? {}
    Ok(writer.truncated)
}

/// Append what `str` shows: strings as they are, nothing for nil, the shortest text of floats, dates without quotes.
pub(crate) fn write_text(out: &mut String, value: &Value, cells: &dyn Cells, meter: &mut Meter) -> Res<()> {
    if !write_scalar(out, value, meter)? {
        write_value(out, value, &FormatOptions::full(), cells, meter)?;
    }
    Ok(())
}

/// A collection that is being written.
struct Frame {
    node: Node,
    /// Position in the collection.
    next: usize,
    /// Elements still to write.
    left: usize,
    first: bool,
    /// For the elements inside.
    options: FormatOptions,
    /// What follows the last element.
    end: String,
}

enum Node {
    Vector(Vector),
    Set(Set),
    Map(Map),
    /// The value of the key just written.
    Entry(Value),
    /// One value in `#<… >`.
    Boxed {
        value: Value,
        cell: Option<u32>,
    },
}

struct Writer<'a> {
    out: &'a mut String,
    hide: bool,
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
    stack: Vec<Frame>,
    truncated: bool,
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut String, options: &FormatOptions, cells: &'a dyn Cells, meter: &'a mut Meter) -> Writer<'a> {
        Writer { out, hide: options.hide, cells, meter, stack: Vec::new(), truncated: false }
    }

    /// Write the next element or end of what is open; false when all is written.
    fn advance(&mut self) -> Res<bool> {
        let Some(frame) = self.stack.pop() else { return Ok(false) };
        if frame.left == 0 {
            self.put(&frame.end)?
        } else {
            self.step(frame)?
        }
        Ok(true)
    }

    fn put(&mut self, text: &str) -> Res<()> {
        Ok(push_text(self.out, text, self.meter)?)
    }

    /// Write the next element of `frame`; the rest of the frame goes back below it.
    fn step(&mut self, mut frame: Frame) -> Res<()> {
        let options = frame.options;
        let Some((key, value)) = self.next_of(&mut frame) else {
            return self.put(&frame.end);
        };
        if !frame.first {
            push_char(self.out, ' ', self.meter)?;
        }
        frame.first = false;
        frame.left -= 1;
        if !matches!(frame.node, Node::Entry(_)) {
            self.nest(frame)?;
        }
        match key {
            None => self.value(&value, options),
            Some(key) => {
                let whole = FormatOptions { limit: None, printable_limit: None, ..options };
                self.nest(Frame {
                    node: Node::Entry(value),
                    next: 0,
                    left: 1,
                    first: false,
                    options,
                    end: String::new(),
                })?;
                self.value(&key, whole)
            }
        }
    }

    /// The next element that is shown, a map's key before its value.
    fn next_of(&mut self, frame: &mut Frame) -> Option<(Option<Value>, Value)> {
        match &mut frame.node {
            Node::Vector(items) => items.get(frame.next).map(|item| (None, item.clone())),
            Node::Set(set) => set.member_at(frame.next).map(|item| (None, item.clone())),
            Node::Map(map) => loop {
                let (key, value) = map.entry_at(frame.next)?;
                if !self.hides(key) {
                    break Some((Some(key.clone()), value.clone()));
                }
                frame.next += 1;
            },
            Node::Entry(value) | Node::Boxed { value, .. } => Some((None, std::mem::take(value))),
        }
        .inspect(|_| frame.next += 1)
    }

    /// Write a scalar, or start a collection.
    fn value(&mut self, value: &Value, options: FormatOptions) -> Res<()> {
        self.meter.charge(1)?;
        match value {
            Value::Vector(items) => self.vector(items.clone(), options, true),
            Value::Set(set) => self.set(set, options),
            Value::Map(map) => self.map(map, options),
            Value::Cell(cell) => self.cell(*cell, options),
            Value::LazySeq(generator) => match self.cells.realised(*generator) {
                Some(Realised { items, complete }) => {
                    self.meter.allocate(items.len() * 16)?;
                    self.vector(Vector::from(items), options, complete)
                }
                None => self.put("#<seq>"),
            },
            Value::Reduced(inner) => {
                let boxed = Node::Boxed { value: inner.get().clone(), cell: None };
                self.open(boxed, 1, "#<reduced ", ">".to_owned(), options)
            }
            _ => self.scalar(value, options),
        }
    }

    fn scalar(&mut self, value: &Value, options: FormatOptions) -> Res<()> {
        match value {
            Value::Str(text) => self.text(text, options),
            Value::Exception(exception) => {
                self.put("#<error ")?;
                self.text(&exception.message, options)?;
                self.put(">")
            }
            Value::Big(n) => {
                let digits = number::digits(n, self.meter)?;
                self.put(&digits)
            }
            Value::Float(x) => self.put(&if options.round { print_float(*x) } else { readable_float(*x) }),
            _ => Ok(write_atom(self.out, value, self.meter)?),
        }
    }

    /// A text in quotes.
    fn text(&mut self, text: &str, options: FormatOptions) -> Res<()> {
        self.truncated |= write_quoted(self.out, text, options.printable_limit, self.meter)?;
        Ok(())
    }

    fn vector(&mut self, items: Vector, options: FormatOptions, complete: bool) -> Res<()> {
        let total = items.len();
        let shown = self.shown(total, options.limit);
        let end = match (complete, total) {
            (false, 0) => "...]".to_owned(),
            (false, _) => " ...]".to_owned(),
            (true, _) => marked_end(']', total, shown),
        };
        self.open(Node::Vector(items), shown, "[", end, options)
    }

    fn set(&mut self, set: &Set, options: FormatOptions) -> Res<()> {
        let shown = self.shown(set.len(), options.limit);
        let end = marked_end('}', set.len(), shown);
        self.open(Node::Set(set.clone()), shown, "#{", end, options)
    }

    fn map(&mut self, map: &Map, options: FormatOptions) -> Res<()> {
        let visible = if self.hide {
            self.meter.charge(map.len() / 16)?;
            map.iter().filter(|(key, _)| !self.hides(key)).count()
        } else {
            map.len()
        };
        let shown = self.shown(visible, options.limit);
        let end = if self.stack.is_empty() || visible == shown {
            marked_end('}', visible, shown)
        } else {
            " ...}".to_owned()
        };
        self.open(Node::Map(map.clone()), shown, "{", end, options)
    }

    /// Whether the entry under this key is left out.
    fn hides(&self, key: &Value) -> bool {
        self.hide && key_name(key).is_some_and(|name| name.starts_with('_') && !self.cells.shows(name))
    }

    fn cell(&mut self, cell: CellRef, options: FormatOptions) -> Res<()> {
        let name = cell.kind.as_str();
        let running =
            self.stack.iter().any(|frame| matches!(frame.node, Node::Boxed { cell: Some(id), .. } if id == cell.id));
        if running {
            return self.put("...");
        }
        match self.cells.content(cell) {
            Some(value) => {
                self.open(Node::Boxed { value, cell: Some(cell.id) }, 1, &format!("#<{name} "), ">".to_owned(), options)
            }
            None => self.put(&format!("#<{name}>")),
        }
    }

    fn open(&mut self, node: Node, left: usize, start: &str, end: String, options: FormatOptions) -> Res<()> {
        if self.stack.len() >= MAX_NESTING {
            return self.put("...");
        }
        self.put(start)?;
        self.nest(Frame { node, next: 0, left, first: true, options, end })
    }

    fn nest(&mut self, frame: Frame) -> Res<()> {
        Ok(push(&mut self.stack, frame, self.meter)?)
    }

    fn shown(&mut self, total: usize, limit: Option<usize>) -> usize {
        let shown = limit.unwrap_or(total).min(total);
        self.truncated |= shown < total;
        shown
    }
}

/// The closing bracket, with marks before and after it for what was omitted.
fn marked_end(bracket: char, total: usize, shown: usize) -> String {
    if shown < total { format!(" ...{bracket} ({total} items, showing first {shown})") } else { bracket.to_string() }
}
