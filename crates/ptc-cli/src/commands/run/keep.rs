//! Every run is kept, unless `--no-keep` says otherwise.

use std::io;
use std::path::Path;
use std::sync::Arc;

use ptc_runner::config::{JournalFile, MissionFile};

use super::args::RunArgs;
use super::journal::Journaling;
use super::logs::Logs;
use crate::kept::{KeptRun, NewRun, is_large};
use crate::output;

/// The folder of the run, with its answers in the logs, and its journal where the command line names none.
pub(super) fn begin(
    args: &RunArgs,
    base: &Path,
    mission: &MissionFile,
    model: &str,
    journal: &mut Journaling,
    logs: &mut Logs,
) -> io::Result<KeptRun> {
    let goes_on = journal.recorded.is_some();
    let run = NewRun { mission: &mission.path, model, journal: args.journal.as_deref(), goes_on };
    let kept = KeptRun::begin(base, &run)?;
    logs.kept = Some(kept.answers()?);
    if args.journal.is_some() {
        return Ok(kept);
    }
    if is_large(&mission.data_map()) {
        output::notes(&[
            "no journal of this run is kept, because its data has more than 8 MB; --journal FILE writes one",
        ]);
        return Ok(kept);
    }
    let path = kept.journal();
    journal.file = Some(Arc::new(JournalFile::create(&path).map_err(io::Error::other)?));
    journal.path = Some(path);
    Ok(kept)
}
