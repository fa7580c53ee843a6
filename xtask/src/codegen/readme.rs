//! The library example in the README: the listing between the markers is the example file itself.

use std::path::{Path, PathBuf};

use super::{Context, Generated};
use crate::Failure;

const README: &str = "README.md";
const EXAMPLE: &str = "crates/ptc-runner/examples/typed_tools.rs";
const BEGIN: &str = "<!-- example:begin -->";
const END: &str = "<!-- example:end -->";

/// The README with the example of the facade between its markers.
pub(super) fn generate(context: &Context) -> Result<Generated, Failure> {
    let example = Path::new(EXAMPLE);
    let readme = context.workspace.read(Path::new(README))?;
    let listing = listing(example, &context.workspace.read(example)?);
    Ok(vec![(PathBuf::from(README), between_markers(&readme, &listing))])
}

fn listing(path: &Path, source: &str) -> String {
    format!("From [`{0}`]({0}):\n\n```rust\n{1}\n```\n", path.display(), source.trim_end())
}

/// `text` with everything between the two markers replaced; a text without both markers gets them at its end.
pub(super) fn between_markers(text: &str, body: &str) -> String {
    let block = format!("{BEGIN}\n{body}{END}");
    let parts =
        text.split_once(BEGIN).and_then(|(before, rest)| rest.split_once(END).map(|(_, after)| (before, after)));
    match parts {
        Some((before, after)) => format!("{before}{block}{after}"),
        None => format!("{}\n\n{block}\n", text.trim_end()),
    }
}
