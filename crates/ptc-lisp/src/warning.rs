//! Warnings: legal code that is nearly always a slip.

use crate::span::Span;

/// What a warning is about; the list is closed.
#[non_exhaustive]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum WarningCode {
    /// `(:k x)` where `x` is not a map.
    KeywordOnNonMap,
    /// A keyword compared with a string.
    KeywordVsString,
    /// The result of a pure call is dropped.
    DroppedResult,
    /// A `def` that repeats data and is never used.
    DuplicateDataDef,
    /// `catch` with a class name nobody knows: it catches everything.
    UnknownCatchClass,
    /// A bare name is a builtin although data has that key.
    BuiltinOverData,
    /// A tool argument was coerced.
    CoercedArgument,
    /// A required namespace is ignored.
    IgnoredNamespace,
    /// `contains?` on a vector tests elements here.
    ContainsOnVector,
    /// `1.5M` is read as a float.
    DecimalAsFloat,
    /// `conj`, `peek`, `pop` on a list work at the end here.
    ListOrder,
    /// A regular expression written as a text is taken literally.
    PatternAsText,
    /// `where` compares a number with a text.
    NumberVsText,
    /// Texts that all are numbers are sorted as texts.
    NumbersAsTexts,
    /// `bit-and` of negative integers has left 64 bits: the ones of a negative integer have no end.
    BitsWithoutEnd,
    /// A closing bracket closes nothing.
    SurplusDelimiter,
    /// A value could not be stored or restored with the memory.
    MemoryEntry,
}

impl WarningCode {
    /// The stable code, for example `keyword-on-non-map`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            WarningCode::KeywordOnNonMap => "keyword-on-non-map",
            WarningCode::KeywordVsString => "keyword-vs-string",
            WarningCode::DroppedResult => "dropped-result",
            WarningCode::DuplicateDataDef => "duplicate-data-def",
            WarningCode::UnknownCatchClass => "unknown-catch-class",
            WarningCode::BuiltinOverData => "builtin-over-data",
            WarningCode::CoercedArgument => "coerced-argument",
            WarningCode::IgnoredNamespace => "ignored-namespace",
            WarningCode::ContainsOnVector => "contains-on-vector",
            WarningCode::DecimalAsFloat => "decimal-as-float",
            WarningCode::ListOrder => "list-order",
            WarningCode::PatternAsText => "pattern-as-text",
            WarningCode::NumberVsText => "number-vs-text",
            WarningCode::NumbersAsTexts => "numbers-as-texts",
            WarningCode::BitsWithoutEnd => "bits-without-end",
            WarningCode::SurplusDelimiter => "surplus-delimiter",
            WarningCode::MemoryEntry => "memory-entry",
        }
    }
}

/// One warning with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub code: WarningCode,
    /// One sentence that says what to write instead.
    pub message: String,
    /// Where in the source.
    pub span: Span,
}
