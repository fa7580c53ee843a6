//! The names among which an option chooses, as serde knows them: no list besides the enum.

use std::fmt;

use serde::Deserialize;
use serde::de;
use serde::de::value::StrDeserializer;

/// The names of the variants of `T`, in their order; empty where serde expects no names.
pub fn names<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(StrDeserializer::<Names>::new("")) {
        Ok(_) => &[],
        Err(Names(names)) => names,
    }
}

/// The names that serde would have accepted.
#[derive(Debug)]
struct Names(&'static [&'static str]);

impl de::Error for Names {
    fn custom<T: fmt::Display>(_: T) -> Names {
        Names(&[])
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Names {
        Names(expected)
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no name")
    }
}

impl std::error::Error for Names {}
