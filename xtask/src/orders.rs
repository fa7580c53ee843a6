//! The orders example, `docs/examples/orders/`: 10,000 orders of a made-up shop, a mission over them, and its answer.
//!
//! Everything is a function of one seed. Another seed yields other customers, orders, exchange rates and another
//! answer; the recorded model answers stay the same, because they compute everything from the data.

mod answer;
mod country;
mod mission;
mod records;
mod render;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use answer::answer;

use crate::codegen::{Context, Generated, write_file};
use crate::{Failure, Problem};

/// The seed of the files that are committed.
pub const SHIPPED_SEED: u64 = 2024;

/// Where the committed files are, relative to the workspace root.
const FOLDER: &str = "docs/examples/orders";

/// The generator for `cargo xtask codegen`.
pub(crate) fn generate(_: &Context) -> Result<Generated, Failure> {
    Ok(files(SHIPPED_SEED).into_iter().map(|(path, text)| (Path::new(FOLDER).join(path), text)).collect())
}

/// `cargo xtask orders --seed N --out DIR`: the same example for any seed.
pub(crate) fn write(seed: &str, folder: &str) -> Result<Vec<Problem>, Failure> {
    let seed = seed
        .parse()
        .map_err(|_| Failure::Argument { argument: seed.to_string(), wanted: "a seed, an integer from 0" })?;
    for (path, text) in files(seed) {
        write_file(&Path::new(folder).join(path), &text)?;
    }
    Ok(Vec::new())
}

/// All files of the example for a seed: paths relative to its folder, with their texts (about 5 MB).
pub fn files(seed: u64) -> Vec<(PathBuf, String)> {
    let shop = records::shop(seed);
    let expected = answer::of(&shop);
    vec![
        (PathBuf::from("orders.json"), render::orders(&shop)),
        (PathBuf::from("customers.json"), render::customers(&shop)),
        (PathBuf::from("mission.toml"), mission::toml(&shop)),
        (PathBuf::from("answers.jsonl"), mission::answers()),
        (PathBuf::from("expected.json"), format!("{expected:#}\n")),
    ]
}
