//! `cargo xtask tidy`: what a reviewer should not have to look for.

mod dependencies;
mod layout;
mod links;
#[cfg(test)]
mod tests;
mod text;

use crate::{Failure, Problem, Workspace};

/// Everything that is untidy, sorted by place.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = layout::check(workspace)?;
    problems.extend(text::check(workspace)?);
    problems.extend(dependencies::check(workspace)?);
    problems.extend(links::check(workspace)?);
    problems.sort();
    Ok(problems)
}
