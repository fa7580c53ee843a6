//! No crate has unsafe code: its root forbids it, and no module can allow it again. Tests may have it, with a reason:
//! the lint of the workspace denies it there.

use std::path::Path;

use crate::{Failure, Problem, Workspace};

const FORBIDS: &str = "#![forbid(unsafe_code)]";

/// Roots of crates that do not forbid unsafe code.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for member in workspace.members()? {
        for root in ["src/lib.rs", "src/main.rs"].map(|name| member.folder().join(name)) {
            if workspace.has(&root) {
                problems.extend(root_of_crate(&root, &workspace.read(&root)?));
            }
        }
    }
    Ok(problems)
}

pub(super) fn root_of_crate(path: &Path, text: &str) -> Option<Problem> {
    let forbids = text.lines().any(|line| line == FORBIDS);
    (!forbids).then(|| Problem::whole(path, format!("allows unsafe code. Write `{FORBIDS}` below its first comment.")))
}
