//! Values as people read them: on one line where they fit, else over several, long ones cut.

#[cfg(test)]
mod tests;

use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{FormatOptions, format_within};

/// Lines of a value that are shown.
pub(super) const MAX_LINES: usize = 40;
/// Characters of a value that has no parts to be shown on separate lines.
const MAX_TEXT: usize = 4_000;
/// Characters of a key after which the value begins on a new line.
const LONG_KEY: usize = 24;

/// A value over several lines.
pub(super) struct LaidOut {
    pub(super) text: String,
    /// Whether something was left out.
    pub(super) is_cut: bool,
}

/// The value on lines of at most `width` characters where its parts allow it, and at most `lines` of them.
///
/// Cost: linear in what is shown.
pub(super) fn shown(value: &Value, width: usize, lines: usize) -> LaidOut {
    let mut layout = Layout { lines: vec![String::new()], width: width.max(20), most: lines, is_cut: false };
    layout.put(value, 0, 0);
    let text = layout.lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    LaidOut { text, is_cut: layout.is_cut }
}

struct Layout {
    lines: Vec<String>,
    width: usize,
    most: usize,
    is_cut: bool,
}

impl Layout {
    fn write(&mut self, text: &str) {
        if let Some(line) = self.lines.last_mut() {
            line.push_str(text);
        }
    }

    /// Begin a line; false when the limit is reached.
    fn next(&mut self, indent: usize) -> bool {
        self.is_cut |= self.lines.len() >= self.most;
        if !self.is_cut {
            self.lines.push(" ".repeat(indent));
        }
        !self.is_cut
    }

    /// The value where the last line ends, `column` characters in; followed by `behind` characters.
    fn put(&mut self, value: &Value, column: usize, behind: usize) {
        let room = self.width.saturating_sub(column + behind);
        let options = FormatOptions { hide: false, ..FormatOptions::full() };
        let line = format_within(value, &options, room);
        if !line.truncated {
            return self.write(&line.text);
        }
        match value {
            Value::Vector(items) => {
                self.write("[");
                let is_flat = items.iter().take(self.most).all(is_scalar);
                self.items(items.iter(), column + 1, behind, is_flat);
                self.write("]");
            }
            Value::Set(items) => {
                self.write("#{");
                self.items(items.iter(), column + 2, behind, true);
                self.write("}");
            }
            Value::Map(map) => self.map(map.iter(), column, behind),
            _ => {
                let long = format_within(value, &options, MAX_TEXT);
                self.is_cut |= long.truncated;
                self.write(&long.text);
            }
        }
    }

    /// Elements, those of a flat collection as many to a line as fit.
    fn items<'v>(&mut self, items: impl Iterator<Item = &'v Value>, column: usize, behind: usize, is_flat: bool) {
        let mut at = column;
        // What is left out is reported after the last one.
        let behind_all = behind + " …]".chars().count();
        for (index, item) in items.enumerate() {
            let length = if is_flat { length(item, self.width) } else { 0 };
            if index > 0 {
                if is_flat && at + 1 + length + behind_all < self.width {
                    self.write(" ");
                    at += 1;
                } else if self.next(column) {
                    at = column;
                } else {
                    return self.write(" …");
                }
            }
            self.put(item, at, behind + 1);
            at += length;
            if self.is_cut {
                return;
            }
        }
    }

    fn map<'v>(&mut self, entries: impl Iterator<Item = (&'v Value, &'v Value)>, column: usize, behind: usize) {
        self.write("{");
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 && !self.next(column + 1) {
                return self.write(" …}");
            }
            self.put(key, column + 1, behind + 1);
            let key = length(key, self.width);
            if key <= LONG_KEY {
                self.write(" ");
                self.put(value, column + 2 + key, behind + 1);
            } else if self.next(column + 3) {
                self.put(value, column + 3, behind + 1);
            }
            if self.is_cut {
                break;
            }
        }
        self.write("}");
    }
}

/// Characters of the value on one line, at most about `most`.
fn length(value: &Value, most: usize) -> usize {
    let options = FormatOptions { hide: false, ..FormatOptions::full() };
    format_within(value, &options, most).text.chars().count()
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Vector(_) | Value::Map(_) | Value::Set(_))
}
