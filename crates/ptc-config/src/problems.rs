//! What is wrong with a mission file so far: readers continue after a mistake, so that one pass finds them all.

use crate::error::ConfigError;
use crate::place::Place;

/// Mistakes, and likely mistakes.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub(crate) errors: Vec<ConfigError>,
    pub(crate) warnings: Vec<MissionWarning>,
}

/// What works, but is likely to be a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MissionWarning {
    /// A stable name of its subject.
    pub code: &'static str,
    /// Where, if one place can be named.
    pub place: Option<Box<Place>>,
    /// One sentence.
    pub message: String,
}

impl Problems {
    /// The value read. An error is kept, unless it was already reported: two readers may check one value.
    pub(crate) fn keep<T>(&mut self, read: Result<T, ConfigError>) -> Option<T> {
        let error = match read {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let text = error.to_string();
        if !self.errors.iter().any(|known| known.to_string() == text) {
            self.errors.push(error);
        }
        None
    }

    /// The same for an optional value.
    pub(crate) fn keep_some<T>(&mut self, read: Option<Result<T, ConfigError>>) -> Option<T> {
        self.keep(read.transpose()).flatten()
    }

    /// Mistakes of one kind that were found together.
    pub(crate) fn all(&mut self, errors: impl IntoIterator<Item = ConfigError>) {
        for error in errors {
            self.keep::<()>(Err(error));
        }
    }

    pub(crate) fn warn(&mut self, code: &'static str, place: Option<Box<Place>>, message: impl Into<String>) {
        self.warnings.push(MissionWarning { code, place, message: message.into() });
    }

    /// The value read when nothing is wrong with it, else the first mistake.
    pub(crate) fn first<T>(self, read: T) -> Result<T, ConfigError> {
        self.errors.into_iter().next().map_or(Ok(read), Err)
    }
}
