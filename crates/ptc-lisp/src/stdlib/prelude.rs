//! The part of the library that is written in the language itself (stand-in).

pub(crate) mod rows;

#[cfg(test)]
mod tests;
