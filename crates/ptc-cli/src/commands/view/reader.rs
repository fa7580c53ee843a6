//! Reading one run for a viewer, in a process whose memory the system bounds.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::library::Summary;
use crate::failure::{Exit, Failure};
use crate::{bounded, output, recorded, viewed};

/// Bytes of a document that a viewer holds.
const MOST: u64 = 256 << 20;

/// A run as the viewer holds it: what lists show, and the document as JSON; or why it cannot be shown.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reading {
    pub(super) summary: Summary,
    pub(super) document: Result<Arc<str>, String>,
}

/// Read a run.
pub(super) fn read(path: &Path, is_live: bool) -> Reading {
    match bounded::printed_of(path, MOST) {
        Ok(Some(printed)) => serde_json::from_slice(&printed).unwrap_or_else(|error| refused(error.to_string())),
        Ok(None) => here(path, is_live),
        Err(problem) => refused(problem),
    }
}

/// As the bounded process: print the reading.
pub(super) fn print(path: &Path, is_live: bool) -> Result<Exit, Failure> {
    let reading = serde_json::to_vec(&here(path, is_live))?;
    output::print(|out| out.write_all(&reading))?;
    Ok(Exit::Ok)
}

fn here(path: &Path, is_live: bool) -> Reading {
    let read = recorded::bytes(path).map_err(|error| error.to_string());
    let run = read.and_then(|bytes| recorded::load(path, &bytes).map_err(|failure| failure.to_string()));
    match run.map(|run| (viewed::document(path, &run, is_live), run)) {
        Ok((document, run)) => Reading {
            summary: Summary::of(&run, &document),
            document: serde_json::to_string(&document).map(Arc::from).map_err(|error| error.to_string()),
        },
        Err(problem) => refused(problem),
    }
}

fn refused(problem: String) -> Reading {
    Reading { summary: Summary::of_problem(&problem), document: Err(problem) }
}
