//! The library example in the README: the listing between the markers is the example file itself.

use std::path::{Path, PathBuf};

use super::Generated;
use crate::{Failure, Workspace};

const README: &str = "README.md";
const EXAMPLE: &str = "crates/ptc-runner/examples/typed_tools.rs";

/// The README with the example of the facade between its markers.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    let example = Path::new(EXAMPLE);
    let readme = workspace.read(README)?;
    let listing = listing(example, &workspace.read(example)?);
    Ok(vec![(PathBuf::from(README), between_markers(&readme, "example", &listing))])
}

fn listing(path: &Path, source: &str) -> String {
    format!("From [`{0}`]({0}):\n\n```rust\n{1}\n```\n", path.display(), source.trim_end())
}

/// `text` with everything between the two markers of this name replaced; a text without both gets them at its end.
pub(super) fn between_markers(text: &str, name: &str, body: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|part| format!("<!-- {name}:{part} -->"));
    let parts =
        text.split_once(&begin).and_then(|(before, rest)| rest.split_once(&end).map(|(_, after)| (before, after)));
    let (before, after) =
        parts.map_or_else(|| (format!("{}\n\n", text.trim_end()), "\n"), |(before, after)| (before.to_owned(), after));
    format!("{before}{begin}\n{body}{end}{after}")
}
