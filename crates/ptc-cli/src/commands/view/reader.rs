//! Reading runs for a viewer, one or two to compare, in a process whose memory the system bounds.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::eval::{BatchResults, Results};
use ptc_runner::trace::replay::PriceBook;
use ptc_runner::trace::viewer::RunDiff;
use serde::{Deserialize, Serialize};

use super::gateways::GatewayPage;
use super::library::Summary;
use crate::failure::{Exit, Failure};
use crate::prices::PricesArgs;
use crate::recorded::has_results;
use crate::{bounded, kept, output, viewed};

/// Bytes of a document that a viewer holds.
const MOST: u64 = 256 << 20;

/// A run as the viewer holds it: what lists show, and the document as JSON; or why it cannot be shown. Results of an
/// evaluation or a batch are many runs without a document.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reading {
    pub(super) summaries: Vec<Summary>,
    pub(super) document: Result<Arc<str>, String>,
}

/// How runs are read.
pub(super) struct Reader {
    prices: PriceBook,
    /// What says the same on a command line.
    options: Vec<String>,
}

impl Reader {
    /// A reader that knows these prices. Errors when they cannot be used.
    pub(super) fn new(prices: &PricesArgs) -> Result<Reader, Failure> {
        Ok(Reader {
            prices: prices.book_here()?,
            options: prices.given().iter().flat_map(|text| ["--prices".to_owned(), text.clone()]).collect(),
        })
    }

    /// Read a run.
    pub(super) fn read(&self, path: &Path, is_live: bool) -> Reading {
        match bounded::printed_of(&self.options, &[path], MOST) {
            Ok(Some(printed)) => serde_json::from_slice(&printed).unwrap_or_else(|error| refused(error.to_string())),
            Ok(None) => self.here(path, is_live),
            Err(problem) => refused(problem),
        }
    }

    /// The comparison of two runs as JSON, or why there is none.
    pub(super) fn diff(&self, pair: [&Path; 2]) -> Result<Arc<str>, String> {
        match bounded::printed_of(&self.options, &pair, MOST)? {
            Some(printed) => serde_json::from_slice(&printed).unwrap_or_else(|error| Err(error.to_string())),
            None => self.diff_here(pair),
        }
    }

    /// As the bounded process: print the reading of one run, the comparison of two, or the state of a gateway.
    pub(super) fn print(&self, paths: &[PathBuf]) -> Result<Exit, Failure> {
        let printed = match paths {
            [one, other] => serde_json::to_vec(&self.diff_here([one, other]))?,
            [state] if state.is_dir() => serde_json::to_vec(&GatewayPage::of(state))?,
            _ => serde_json::to_vec(&paths.first().map(|path| self.here(path, kept::is_running(path))))?,
        };
        output::print(|out| out.write_all(&printed))?;
        Ok(Exit::Ok)
    }

    fn diff_here(&self, pair: [&Path; 2]) -> Result<Arc<str>, String> {
        let [one, other] = pair.map(|path| viewed::read(path, kept::is_running(path), &self.prices));
        let diff = RunDiff::of(&one?.1, &other?.1);
        serde_json::to_string(&diff).map(Arc::from).map_err(|error| error.to_string())
    }

    fn here(&self, path: &Path, is_live: bool) -> Reading {
        if has_results(path) {
            return results(path);
        }
        match viewed::read(path, is_live, &self.prices) {
            Ok((run, document)) => Reading {
                summaries: vec![Summary::of(&run, &document)],
                document: serde_json::to_string(&document).map(Arc::from).map_err(|error| error.to_string()),
            },
            Err(problem) => refused(problem),
        }
    }
}

/// What a gateway keeps in this folder.
pub(super) fn gateway(state: &Path) -> GatewayPage {
    match bounded::printed_of(&[], &[state], MOST) {
        Ok(Some(printed)) => {
            serde_json::from_slice(&printed).unwrap_or_else(|error| GatewayPage::of_problem(state, error.to_string()))
        }
        Ok(None) => GatewayPage::of(state),
        Err(problem) => GatewayPage::of_problem(state, problem),
    }
}

fn refused(problem: String) -> Reading {
    Reading { summaries: vec![Summary::of_problem(&problem)], document: Err(problem) }
}

/// The runs of an evaluation or a batch, with those of their records that are still there.
fn results(path: &Path) -> Reading {
    let folder = path.parent().unwrap_or(Path::new(""));
    let of_batch =
        || BatchResults::read(path).map(|rows| rows.iter().map(|row| Summary::of_row(row, folder)).collect());
    let summaries = match Results::read(path) {
        Ok(lines) => Ok(lines.iter().map(|line| Summary::of_result(line, folder)).collect()),
        Err(error) => of_batch().map_err(|_| error),
    };
    match summaries {
        Ok(summaries) => Reading { summaries, document: Err("results are a list of runs".to_owned()) },
        Err(error) => refused(error.to_string()),
    }
}
