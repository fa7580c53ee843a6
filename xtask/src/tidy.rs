//! `cargo xtask tidy`: what a reviewer should not have to look for.

mod architecture;
mod circles;
mod dependencies;
mod errors;
mod growth;
mod guards;
mod layout;
mod links;
mod purity;
mod reach;
#[cfg(test)]
mod tests;
mod text;
mod unsafety;
mod versions;
mod words;

pub(crate) use links::resolved;
pub(crate) use purity::tokens;

use crate::{Failure, Problem, Workspace};

/// Everything that is untidy, sorted by place.
pub(crate) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut problems = layout::check(workspace)?;
    problems.extend(text::check(workspace)?);
    problems.extend(dependencies::check(workspace)?);
    problems.extend(links::check(workspace)?);
    problems.extend(architecture::check(workspace)?);
    problems.extend(guards::check(workspace)?);
    problems.extend(purity::check(workspace)?);
    problems.extend(circles::check(workspace)?);
    problems.extend(growth::check(workspace)?);
    problems.extend(errors::check(workspace)?);
    problems.extend(unsafety::check(workspace)?);
    problems.extend(words::check(workspace)?);
    problems.extend(versions::check(workspace)?);
    problems.sort();
    Ok(problems)
}
