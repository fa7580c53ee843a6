//! The options of agents and runs in mission files.

mod prompt;
mod read;
#[cfg(test)]
mod tests;

pub(crate) use read::{agent, keys, run, shape, signature};
