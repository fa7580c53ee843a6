//! Lines of several inks: what readers look for first, what they may skip, what succeeded or failed.

use anstyle::{AnsiColor, Style};
use ptc_runner::lisp::text::escaped;

/// What a part of a line is, which decides how a terminal shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
}

impl Ink {
    fn style(self) -> Style {
        let style = Style::new();
        match self {
            Ink::Plain => style,
            Ink::Strong => style.bold(),
            Ink::Faint => style.dimmed(),
            Ink::Good => style.fg_color(Some(AnsiColor::Green.into())),
            Ink::Bad => style.fg_color(Some(AnsiColor::Red.into())),
        }
    }
}

/// A line in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line(Vec<(Ink, String)>);

impl Line {
    /// The line with one more part.
    #[must_use]
    pub(crate) fn with(mut self, ink: Ink, text: impl Into<String>) -> Line {
        self.0.push((ink, text.into()));
        self
    }

    /// As it is printed, whatever its texts contain.
    pub(super) fn painted(&self, has_colors: bool) -> String {
        let part = |(ink, text): &(Ink, String)| {
            let style = ink.style();
            let text = escaped(text);
            if has_colors { format!("{style}{text}{style:#}") } else { text.into_owned() }
        };
        self.0.iter().map(part).collect()
    }
}

#[cfg(test)]
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.painted(false))
    }
}
