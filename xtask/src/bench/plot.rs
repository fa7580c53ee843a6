//! The plots beside the page, as SVG.

use std::path::PathBuf;

use super::Report;
use crate::Failure;

/// All plots: paths relative to the workspace root, with their texts.
pub(super) fn all(_: &Report) -> Result<Vec<(PathBuf, String)>, Failure> {
    Ok(Vec::new())
}
