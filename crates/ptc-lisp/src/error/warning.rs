//! Warnings: legal code that is nearly always a mistake.

use crate::named::named;
use crate::parse::program_text::ProgramText;
use crate::parse::span::{Position, Span, line_text, position};

named! {
    /// What a warning is about; the list is closed.
    #[non_exhaustive]
    #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
    pub enum WarningCode {
        /// `(:k x)` where `x` is not a map.
        KeywordOnNonMap = "keyword-on-non-map",
        /// A keyword compared with a string.
        KeywordVsString = "keyword-vs-string",
        /// The result of a pure call is dropped.
        DroppedResult = "dropped-result",
        /// A `def` that repeats data and is never used.
        DuplicateDataDef = "duplicate-data-def",
        /// `catch` with an unknown class name: it catches everything.
        UnknownCatchClass = "unknown-catch-class",
        /// A bare name is a builtin although data has that key.
        BuiltinOverData = "builtin-over-data",
        /// A tool argument was coerced.
        CoercedArgument = "coerced-argument",
        /// A required namespace is ignored.
        IgnoredNamespace = "ignored-namespace",
        /// `contains?` on a vector tests elements here.
        ContainsOnVector = "contains-on-vector",
        /// `1.5M` is read as a float.
        DecimalAsFloat = "decimal-as-float",
        /// `conj`, `peek`, `pop` on a list work at the end here.
        ListOrder = "list-order",
        /// A regular expression written as a string is taken literally.
        PatternAsText = "pattern-as-text",
        /// `where` compares a number with a string.
        NumberVsText = "number-vs-text",
        /// Strings that are all numbers are sorted as strings.
        NumbersAsTexts = "numbers-as-texts",
        /// `map`, `for`, `doseq` or the like goes over the letters of a text of several lines.
        LetterByLetter = "letter-by-letter",
        /// The result of `bit-and` of negative integers exceeds 64 bits: a negative integer has infinitely many leading
        /// ones.
        BitsWithoutEnd = "bits-without-end",
        /// A key that no known record has, where nil may be meant or more records may come.
        UnknownField = "unknown-field",
        /// A closing bracket closes nothing.
        SurplusDelimiter = "surplus-delimiter",
        /// A value could not be stored or restored with the memory.
        MemoryEntry = "memory-entry",
    }

    /// The stable code, for example `keyword-on-non-map`.
    fn as_str
}

/// One warning with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind of warning it is.
    pub code: WarningCode,
    /// One sentence that says what to write instead.
    pub message: String,
    /// Where in the source.
    pub span: Span,
    /// Line and column.
    pub position: Option<Position>,
    /// That line.
    pub line_text: Option<String>,
    /// The name of the program, when it has one: see [`Program::compile_named`](crate::Program::compile_named).
    pub program: Option<String>,
}

impl Warning {
    pub(crate) fn new(code: WarningCode, message: String, span: Span) -> Warning {
        Warning { code, message, span, position: None, line_text: None, program: None }
    }

    /// The same, with its place in this text resolved.
    pub(crate) fn placed(self, program: &ProgramText) -> Warning {
        let place = position(&program.text, self.span.start);
        Warning {
            position: Some(place),
            line_text: Some(line_text(&program.text, place.line).to_owned()),
            program: program.name.as_deref().map(str::to_owned),
            ..self
        }
    }
}
