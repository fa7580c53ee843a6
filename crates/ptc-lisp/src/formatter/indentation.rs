//! Where the lines inside a bracket begin.

use crate::parse::TokenKind;

/// How the arguments of a form are indented.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Below the first element, or below the first argument of a call.
    Aligned,
    /// Two characters in, from the first argument on.
    Inner,
    /// Two characters in after so many arguments, where the first of the others begins a line.
    Body(usize),
}

/// The style of the form with this head.
pub(super) fn style(head: &str) -> Style {
    match head.strip_prefix("clojure.core/").unwrap_or(head) {
        "def" | "defn" | "defn-" | "defonce" | "fn" => Style::Inner,
        "comment" | "cond" | "delay" | "do" | "finally" | "lazy-seq" | "try" | "with-out-str" => Style::Body(0),
        "case" | "cond->" | "cond->>" | "doseq" | "dotimes" | "doto" | "for" | "if" | "if-let" | "if-not"
        | "if-some" | "let" | "letfn" | "loop" | "ns" | "task" | "when" | "when-first" | "when-let" | "when-not"
        | "when-some" | "while" => Style::Body(1),
        "as->" | "catch" | "condp" => Style::Body(2),
        _ => Style::Aligned,
    }
}

/// Whether a call with a head of this kind has its arguments below each other: other lists are data.
fn is_called(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Name | TokenKind::Keyword | TokenKind::Open | TokenKind::Mark)
}

/// An open bracket.
pub(super) struct Frame {
    /// The column after the bracket.
    inside: usize,
    /// Whether it is round.
    is_list: bool,
    /// Whether its lists are functions with names, as in `letfn`.
    has_functions: bool,
    is_letfn: bool,
    style: Style,
    /// Whether arguments are below the first one.
    is_call: bool,
    /// Elements so far.
    count: usize,
    /// The column of the elements that are aligned.
    aligned: usize,
    /// Whether the body has begun on a new line.
    is_body: bool,
}

impl Frame {
    /// The bracket `opener`, which begins at `column` within another one.
    pub(super) fn opened(opener: &str, column: usize, within: Option<&Frame>) -> Frame {
        let inside = column + opener.len();
        let is_list = opener.ends_with('(');
        let has_functions = within.is_some_and(|within| within.is_letfn && within.count == 1);
        let is_function = is_list && within.is_some_and(|within| within.has_functions);
        let style = if is_function { Style::Inner } else { Style::Aligned };
        Frame {
            inside,
            is_list,
            has_functions,
            is_letfn: false,
            style,
            is_call: false,
            count: 0,
            aligned: inside,
            is_body: false,
        }
    }

    /// An element that begins at `column`.
    pub(super) fn add(&mut self, text: &str, kind: TokenKind, column: usize) {
        match self.count {
            0 if self.is_list && self.style == Style::Aligned => {
                self.style = style(text);
                self.is_letfn = text == "letfn";
                self.is_call = is_called(kind);
            }
            1 if self.is_call => self.aligned = column,
            _ => {}
        }
        self.count += 1;
    }

    /// Where a line begins whose first element, or comment, is the next one.
    pub(super) fn indent(&mut self) -> usize {
        if let Style::Body(special) = self.style {
            self.is_body |= self.count == special + 1;
        }
        match self.style {
            Style::Inner if self.count > 0 => self.inside + 1,
            Style::Body(special) if self.is_body && self.count > special => self.inside + 1,
            _ if self.count < 2 => self.inside,
            _ => self.aligned,
        }
    }
}
