//! What can be open while reading: brackets, and marks that wait for the form after them.

/// What is open: a bracket, or a mark that waits for the form after it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    List,
    Vector,
    Map,
    Set,
    ShortFn,
    Quote,
    Deref,
    /// `^`, waiting for the metadata.
    Tag,
    /// `#^`, the same.
    OldTag,
    /// `^meta`, waiting for the form that carries it.
    Tagged,
    Discard,
}

impl Opener {
    /// How it is written.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::List => "(",
            Self::Vector => "[",
            Self::Map => "{",
            Self::Set => "#{",
            Self::ShortFn => "#(",
            Self::Quote => "'",
            Self::Deref => "@",
            Self::Tag | Self::Tagged => "^",
            Self::OldTag => "#^",
            Self::Discard => "#_",
        }
    }

    /// The closing bracket; `None` for marks.
    pub(super) fn closer(self) -> Option<char> {
        match self {
            Self::List | Self::ShortFn => Some(')'),
            Self::Vector => Some(']'),
            Self::Map | Self::Set => Some('}'),
            _ => None,
        }
    }

    /// The error message when nothing follows a mark.
    pub(super) fn missing(self) -> String {
        match self {
            Self::Tagged => "expected a form after the metadata that '^' begins".to_owned(),
            _ => format!("expected a form after {}", self.text()),
        }
    }
}
