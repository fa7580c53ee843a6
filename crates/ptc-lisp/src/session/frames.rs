//! Where an error happened, for people: the places of all functions that were running, with their lines.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::error::Called;
use crate::error::warning::Warning;
use crate::parse::span::{Position, line_text, position};
use crate::session::outcome::Problem;
use crate::value::escaped;

/// A place in user code that was running when an error occurred. Functions of the language are left out: the place is
/// that of their call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function; `None` for an anonymous one, and for the program itself.
    pub function: Option<String>,
    /// Line and column, in the program that the function is of.
    pub position: Position,
    /// That line.
    pub line_text: String,
    /// The name of that program, when it has one: see [`Program::compile_named`](crate::Program::compile_named).
    pub program: Option<String>,
    /// Whether that is an earlier program: another one than [`Problem::position`] is about.
    pub is_earlier: bool,
}

/// Characters of a line before its place, and in all.
const BEFORE: usize = 60;
const SHOWN: usize = 100;

/// The colors of a terminal, or none.
struct Paint {
    bold: &'static str,
    red: &'static str,
    dim: &'static str,
    off: &'static str,
}

const COLORS: Paint = Paint { bold: "\u{1b}[1m", red: "\u{1b}[1;31m", dim: "\u{1b}[2m", off: "\u{1b}[0m" };
const PLAIN: Paint = Paint { bold: "", red: "", dim: "", off: "" };

impl Frame {
    pub(crate) fn new(called: &Called, running: &str) -> Frame {
        let text: &str = &called.text.text;
        let place = position(text, called.span.start);
        Frame {
            function: called.name.as_deref().map(str::to_owned),
            position: place,
            line_text: line_text(text, place.line).to_owned(),
            program: called.text.name.as_deref().map(str::to_owned),
            is_earlier: !std::ptr::eq(text, running),
        }
    }

    /// `line 3, column 5, in area, in an earlier program`, or `rules/areas.lisp:3:5, in area`.
    fn whereabouts(&self) -> String {
        let place = whereabouts(self.program.as_deref(), self.position);
        let function = self.function.as_deref().map(|name| format!(", in {name}")).unwrap_or_default();
        let program = if self.is_earlier && self.program.is_none() { ", in an earlier program" } else { "" };
        format!("{place}{function}{program}")
    }
}

/// `line 3, column 5`, or `rules/areas.lisp:3:5` in a program with a name.
pub(crate) fn whereabouts(program: Option<&str>, place: Position) -> String {
    match program {
        Some(name) => format!("{}:{}:{}", escaped(name), place.line, place.column),
        None => place.to_string(),
    }
}

impl Warning {
    /// The message, and its place with its line and a caret below it, as [`Problem::snippet`] shows them.
    ///
    /// ```
    /// use ptc_lisp::{Program, SessionOptions};
    ///
    /// let program = Program::compile_named("tax.lisp", "(defn tax [n]\n  (* n 19)\n  n)", SessionOptions::default())?;
    /// let shown = program.warnings()[0].snippet(false);
    /// assert!(shown.starts_with("warning: the result of (* ...) is dropped"), "{shown}");
    /// assert!(shown.ends_with("at tax.lisp:2:3\n  |\n2 |   (* n 19)\n  |   ^\n"), "{shown}");
    /// # Ok::<(), ptc_lisp::ProgramError>(())
    /// ```
    #[must_use]
    pub fn snippet(&self, colors: bool) -> String {
        let paint = if colors { COLORS } else { PLAIN };
        let mut text = format!("{}warning: {}{}\n", paint.bold, escaped(&self.message), paint.off);
        if let Some((place, line)) = self.position.zip(self.line_text.as_deref()) {
            let title = format!("at {}", whereabouts(self.program.as_deref(), place));
            excerpt(&mut text, &title, (place, line), &paint);
        }
        text
    }
}

impl Problem {
    /// The message, and each place of [`Problem::frames`] with its line and a caret below it; for terminals in `colors`.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, no_tools};
    ///
    /// let mut session = Session::new(SessionOptions::default());
    /// session.run("(defn score [order]\n  (if (> (:total order) 1000) 50 0))", &mut no_tools);
    /// let outcome = session.run("(score {:total \"20\"})", &mut no_tools);
    /// assert_eq!(
    ///     outcome.problems()[0].snippet(false),
    ///     concat!(
    ///         ">: expected numbers, got string\n",
    ///         "at line 2, column 7, in score, in an earlier program\n",
    ///         "  |\n",
    ///         "2 |   (if (> (:total order) 1000) 50 0))\n",
    ///         "  |       ^\n",
    ///         "called at line 1, column 1\n",
    ///         "  |\n",
    ///         "1 | (score {:total \"20\"})\n",
    ///         "  | ^\n",
    ///     ),
    /// );
    /// ```
    #[must_use]
    pub fn snippet(&self, colors: bool) -> String {
        let paint = if colors { COLORS } else { PLAIN };
        let mut text = format!("{}{}{}\n", paint.bold, escaped(&self.message), paint.off);
        let own = self.position.zip(self.line_text.as_deref());
        if let Some((place, line)) = own.filter(|_| self.frames.is_empty()) {
            let title = format!("at {}", whereabouts(self.program.as_deref(), place));
            excerpt(&mut text, &title, (place, line), &paint);
        }
        for (number, frame) in self.frames.iter().enumerate() {
            let word = if number == 0 { "at" } else { "called at" };
            excerpt(&mut text, &format!("{word} {}", frame.whereabouts()), (frame.position, &frame.line_text), &paint);
        }
        text
    }
}

/// The line of a place, cut around it when it is long, and a caret below.
fn excerpt(text: &mut String, title: &str, (place, line): (Position, &str), paint: &Paint) {
    let column = place.column.saturating_sub(1) as usize;
    let (skipped, count) = (column.saturating_sub(BEFORE), line.chars().count());
    let mut chars = line.chars().map(|c| if c == '\t' { ' ' } else { c }).skip(skipped).take(SHOWN);
    // Escapes are longer than what they stand for, so the caret is placed by what is shown before it.
    let before: String = chars.by_ref().take(column - skipped).collect();
    let before = format!("{}{}", if skipped > 0 { "…" } else { "" }, escaped(&before));
    let after = chars.collect::<String>();
    let after = format!("{}{}", escaped(&after), if count > skipped + SHOWN { "…" } else { "" });
    let number = place.line.to_string();
    let (margin, indent) = (" ".repeat(number.len()), " ".repeat(before.chars().count()));
    let (dim, red, off) = (paint.dim, paint.red, paint.off);
    let _ = writeln!(text, "{title}\n{dim}{margin} |{off}\n{dim}{number} |{off} {before}{after}");
    let _ = writeln!(text, "{dim}{margin} |{off} {indent}{red}^{off}");
}
