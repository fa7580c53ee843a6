//! Values over several lines: on one where they fit, else with an element or entry on each.

#[cfg(test)]
mod tests;

use super::{Cells, FormatOptions, Formatted, NoCells, Writer};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::value::{Value, push_char, push_text};

/// Characters of a value that has no parts to be shown on separate lines.
const MAX_TEXT: usize = 4_000;
/// Characters of a key after which the value begins on a new line.
const LONG_KEY: usize = 24;
/// Characters of ` …]`, the end of what is cut.
const MARK: usize = 3;
/// The narrowest lines.
const MIN_WIDTH: usize = 20;

/// The value on lines of at most `width` characters where its parts allow it, and at most `lines` of them.
///
/// Cost: linear in what is shown.
///
/// ```
/// use ptc_lisp::text::{FormatOptions, format_lines};
///
/// let value = ptc_lisp::Value::from_json(serde_json::json!({"item": "tea", "cents": [350, 1250]}));
/// assert_eq!(format_lines(&value, &FormatOptions::full(), 20, 9).text, "{:item \"tea\"\n :cents [350 1250]}");
/// ```
#[must_use]
pub fn format_lines(value: &Value, options: &FormatOptions, width: usize, lines: usize) -> Formatted {
    let (mut text, mut line, mut meter) = (String::new(), String::new(), Meter::host());
    let writer = Writer::new(&mut line, options, &NoCells, &mut meter);
    let bounds = Bounds { width: width.max(MIN_WIDTH), lines, text: MAX_TEXT };
    let mut layout = Layout { out: &mut text, writer, options: *options, bounds, begun: 1, is_cut: false };
    // The meter of a host refuses nothing that fits into the memory of a machine.
    let written = layout.put(value, 0, 0);
    let truncated = layout.is_cut || written.is_err();
    Formatted { text, truncated }
}

/// Append the whole value on lines of at most `width` characters where its parts allow it. Charges like
/// [`write_value`](super::write_value), also for what is tried on one line.
pub(crate) fn write_lines(
    out: &mut String,
    value: &Value,
    options: &FormatOptions,
    width: usize,
    cells: &dyn Cells,
    meter: &mut Meter,
) -> Res<()> {
    let mut line = String::new();
    let writer = Writer::new(&mut line, options, cells, meter);
    let bounds = Bounds { width, lines: usize::MAX, text: usize::MAX };
    Layout { out, writer, options: *options, bounds, begun: 1, is_cut: false }.put(value, 0, 0)
}

/// What is shown at most.
struct Bounds {
    width: usize,
    lines: usize,
    /// Characters of a value without parts.
    text: usize,
}

struct Layout<'a> {
    out: &'a mut String,
    /// Writes values on one line, to see whether they fit.
    writer: Writer<'a>,
    options: FormatOptions,
    bounds: Bounds,
    /// The lines so far.
    begun: usize,
    is_cut: bool,
}

impl Layout<'_> {
    fn write(&mut self, text: &str) -> Res<()> {
        Ok(push_text(self.out, text, self.writer.meter)?)
    }

    /// Begin a line; false when the limit is reached.
    fn next(&mut self, indent: usize) -> Res<bool> {
        self.is_cut |= self.begun >= self.bounds.lines;
        if !self.is_cut {
            self.begun += 1;
            push_char(self.out, '\n', self.writer.meter)?;
            for _ in 0..indent {
                push_char(self.out, ' ', self.writer.meter)?;
            }
        }
        Ok(!self.is_cut)
    }

    /// Write the value to the text of the writer; whether it is whole and has at most `room` characters.
    fn fits(&mut self, value: &Value, room: usize) -> Res<bool> {
        let writer = &mut self.writer;
        writer.out.clear();
        writer.stack.clear();
        writer.truncated = false;
        writer.value(value, FormatOptions { printable_limit: Some(room), ..self.options })?;
        // A character has at most four bytes.
        while !writer.truncated && writer.out.len() / 4 <= room && writer.advance()? {}
        // Bounded: by the room, or by a word that has been written.
        Ok(!writer.truncated && writer.stack.is_empty() && writer.out.chars().count() <= room)
    }

    /// Characters of the value on one line, or more than `most`.
    fn length(&mut self, value: &Value, most: usize) -> Res<usize> {
        // Bounded: by `most`.
        Ok(if self.fits(value, most)? { self.writer.out.chars().count() } else { most + 1 })
    }

    /// The value where the last line ends, `column` characters in; followed by `behind` characters.
    fn put(&mut self, value: &Value, column: usize, behind: usize) -> Res<()> {
        let room = self.bounds.width.saturating_sub(column + behind);
        if self.fits(value, room)? {
            return Ok(push_text(self.out, self.writer.out, self.writer.meter)?);
        }
        match value {
            // Each level takes a column, so that this is as deep as a line is wide.
            Value::Vector(items) if room > 0 => {
                self.writer.meter.charge(items.len() / 16)?;
                let is_flat = items.iter().take(self.bounds.lines).all(is_scalar);
                self.write("[")?;
                self.items(items.iter(), column + 1, behind, is_flat)?;
                self.write("]")
            }
            Value::Set(items) if room > 0 => {
                self.write("#{")?;
                self.items(items.iter(), column + 2, behind, true)?;
                self.write("}")
            }
            Value::Map(map) if room > 0 => self.map(map.iter(), column, behind),
            _ => self.whole(value),
        }
    }

    /// The value on one line, however long it is.
    fn whole(&mut self, value: &Value) -> Res<()> {
        let (writer, most) = (&mut self.writer, self.bounds.text);
        writer.out.clear();
        writer.stack.clear();
        writer.value(value, self.options)?;
        while writer.out.len() / 4 <= most && writer.advance()? {}
        let end = if most < writer.out.len() { writer.out.char_indices().nth(most).map(|(at, _)| at) } else { None };
        let shown = end.and_then(|end| writer.out.get(..end)).unwrap_or(writer.out);
        push_text(self.out, shown, writer.meter)?;
        if end.is_some() {
            self.is_cut = true;
            self.write("...")?;
        }
        Ok(())
    }

    /// Elements, those of a flat collection as many to a line as fit.
    fn items<'v>(
        &mut self,
        items: impl Iterator<Item = &'v Value>,
        column: usize,
        behind: usize,
        is_flat: bool,
    ) -> Res<()> {
        let mut at = column;
        // What is left out is reported after the last one.
        let behind_all = behind + MARK;
        for (index, item) in items.enumerate() {
            let length = if is_flat { self.length(item, self.bounds.width)? } else { 0 };
            if index > 0 {
                if is_flat && at + 1 + length + behind_all < self.bounds.width {
                    self.write(" ")?;
                    at += 1;
                } else if self.next(column)? {
                    at = column;
                } else {
                    return self.write(" …");
                }
            }
            self.put(item, at, behind + 1)?;
            at += length;
            if self.is_cut {
                break;
            }
        }
        Ok(())
    }

    fn map<'v>(
        &mut self,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
        column: usize,
        behind: usize,
    ) -> Res<()> {
        self.write("{")?;
        let mut is_first = true;
        for (key, value) in entries {
            self.writer.meter.charge(1)?;
            if self.writer.hides(key) {
                continue;
            }
            if !is_first && !self.next(column + 1)? {
                return self.write(" …}");
            }
            is_first = false;
            self.put(key, column + 1, behind + 1)?;
            let key = self.length(key, self.bounds.width)?;
            if key <= LONG_KEY {
                self.write(" ")?;
                self.put(value, column + 2 + key, behind + 1)?;
            } else if self.next(column + 3)? {
                self.put(value, column + 3, behind + 1)?;
            }
            if self.is_cut {
                break;
            }
        }
        self.write("}")
    }
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Vector(_) | Value::Map(_) | Value::Set(_))
}
