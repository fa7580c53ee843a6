//! Documents and summaries of runs, read again when a file has changed.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use ptc_runner::chat::shown_addresses;
use ptc_runner::eval::{ResultLine, RowResult, RowState};
use ptc_runner::lisp::text::{FormatOptions, format, one_line, shortened};
use ptc_runner::lisp::values::key_text;
use ptc_runner::trace::viewer::Document;
use serde::{Deserialize, Serialize};

use super::gateways::{self, GatewayPage, GatewayState};
use super::reader::{self, Reader, Reading};
use super::sources::{Source, Sources, id};
use crate::kept;
use crate::recorded::RecordedRun;

/// Number of documents held; one is as large as what its run holds.
const MOST_DOCUMENTS: usize = 4;

/// The runs, and their summaries.
pub(super) struct Library {
    sources: Sources,
    reader: Reader,
    summaries: Mutex<HashMap<String, (Stamp, Vec<Summary>)>>,
    documents: Mutex<Vec<(String, Stamp, Arc<str>)>>,
    gateways: Mutex<HashMap<PathBuf, (u64, GatewayPage)>>,
    is_filling: AtomicBool,
    is_reading: Mutex<()>,
}

/// The state of a file when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    is_locked: bool,
}

/// A run in a list.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Summary {
    id: String,
    /// Its page; empty for a run that is known only from results.
    url: String,
    title: String,
    /// The mission file, by which lists are grouped.
    #[serde(skip_serializing_if = "Option::is_none")]
    mission: Option<String>,
    /// Which run of an evaluation it is, where the results of one have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
    /// The input data, short.
    inputs: String,
    /// The answer, short.
    answer: String,
    file: String,
    path: String,
    ending: String,
    ok: bool,
    live: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    began_ms: Option<i64>,
    turns: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    took_ms: u64,
    /// Whether it is still being read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
    /// Why it cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// Of a run of an evaluation: the pages of its records, where the results keep them, one for each text of the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    records: Vec<Record>,
}

/// The record of a run that the results of an evaluation name.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Record {
    url: String,
    path: PathBuf,
}

/// The list of runs.
#[derive(Serialize)]
pub(super) struct List {
    from: String,
    runs: Vec<Summary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gateways: Vec<GatewayState>,
}

impl Library {
    pub(super) fn new(sources: Sources, reader: Reader) -> Library {
        Library {
            sources,
            reader,
            summaries: Mutex::default(),
            documents: Mutex::default(),
            gateways: Mutex::default(),
            is_filling: AtomicBool::new(false),
            is_reading: Mutex::default(),
        }
    }

    pub(super) fn source(&self, id: &str) -> Option<Source> {
        let of_sessions = || {
            let gateways = lock(&self.gateways);
            gateways.values().flat_map(|(_, page)| page.gateway.sources()).find(|source| source.id == id)
        };
        let of_results = || {
            let summaries = lock(&self.summaries);
            let records = summaries.values().flat_map(|(_, runs)| runs).flat_map(|run| &run.records);
            records.map(|record| Source::of(record.path.clone())).find(|source| source.id == id)
        };
        self.sources.list().into_iter().find(|source| source.id == id).or_else(of_sessions).or_else(of_results)
    }

    /// The runs as far as they have been read, and whether more are still to be read.
    pub(super) fn list(&self) -> (List, bool) {
        let summaries = lock(&self.summaries);
        let mut waits = false;
        let of = |source: Source| match summaries.get(&source.id) {
            Some((stamp, summaries)) => {
                waits |= *stamp != Stamp::of(&source.path);
                summaries.clone()
            }
            None => {
                waits = true;
                vec![Summary { pending: true, title: "…".to_owned(), ..Summary::named(&source) }]
            }
        };
        let runs = self.sources.list().into_iter().flat_map(of).collect();
        drop(summaries);
        let known = lock(&self.gateways);
        let states = self.sources.gateways();
        waits |= states.iter().any(|state| known.get(state).is_none_or(|(stamp, _)| *stamp != gateways::stamp(state)));
        let gateways =
            states.iter().filter_map(|state| known.get(state)).map(|(_, page)| page.gateway.clone()).collect();
        (List { from: self.sources.name.clone(), runs, gateways }, waits)
    }

    /// Read what has changed, in the order of the list. Only one caller does so at a time.
    pub(super) fn fill(&self) {
        if self.is_filling.swap(true, Ordering::AcqRel) {
            return;
        }
        let _filling = Filling(&self.is_filling);
        for state in self.sources.gateways() {
            self.look_at(state);
        }
        for source in self.sources.list() {
            let stamp = Stamp::of(&source.path);
            let is_known = lock(&self.summaries).get(&source.id).is_some_and(|(known, _)| *known == stamp);
            if !is_known {
                // Only its kind matters, not its content.
                let _ = self.read(&source, stamp);
            }
        }
    }

    /// The document of a run, and the mark by which a browser recognizes it. Cost: when its file has changed, it is read
    /// again.
    pub(super) fn document(&self, source: &Source) -> Result<(Stamp, Arc<str>), String> {
        let stamp = Stamp::of(&source.path);
        let known = |held: &&(String, Stamp, Arc<str>)| held.0 == source.id && held.1 == stamp;
        if let Some((_, _, text)) = lock(&self.documents).iter().find(known) {
            return Ok((stamp, Arc::clone(text)));
        }
        let text = self.read(source, stamp.clone())?;
        let mut documents = lock(&self.documents);
        documents.retain(|(id, _, _)| *id != source.id);
        documents.push((source.id.clone(), stamp.clone(), Arc::clone(&text)));
        let surplus = documents.len().saturating_sub(MOST_DOCUMENTS);
        documents.drain(..surplus);
        Ok((stamp, text))
    }

    /// Read the state of a gateway, if it has changed.
    fn look_at(&self, state: PathBuf) {
        let stamp = gateways::stamp(&state);
        if lock(&self.gateways).get(&state).is_none_or(|(known, _)| *known != stamp) {
            let reading = lock(&self.is_reading);
            let page = reader::gateway(&state);
            drop(reading);
            lock(&self.gateways).insert(state, (stamp, page));
        }
    }

    /// The state of the gateway of this name.
    pub(super) fn state(&self, name: &str) -> Option<PathBuf> {
        self.sources.gateways().into_iter().find(|state| id(state) == name)
    }

    /// What the page of a gateway shows, as JSON. Cost: when its state has changed, it is read again.
    pub(super) fn gateway(&self, state: PathBuf) -> serde_json::Result<String> {
        self.look_at(state.clone());
        let page = lock(&self.gateways).get(&state).map(|(_, page)| page.clone()).unwrap_or_default();
        serde_json::to_string(&page)
    }

    /// The comparison of two runs, unless the browser has it: `known` is the mark by which it says so. Cost: reads both
    /// runs.
    pub(super) fn diff(&self, pair: [&Source; 2], known: Option<&str>) -> Result<(String, Option<Arc<str>>), String> {
        let tag = pair.map(|source| Stamp::of(&source.path).tag().replace('"', "")).join("+");
        let tag = format!("\"{tag}\"");
        if known == Some(tag.as_str()) {
            return Ok((tag, None));
        }
        let _reading = lock(&self.is_reading);
        let text = self.reader.diff(pair.map(|source| source.path.as_path()))?;
        Ok((tag, Some(text)))
    }

    /// Read a run, and keep its summary for lists.
    fn read(&self, source: &Source, stamp: Stamp) -> Result<Arc<str>, String> {
        // One at a time: each may take all that is allowed.
        let reading = lock(&self.is_reading);
        let Reading { summaries, document } = self.reader.read(&source.path, stamp.is_locked);
        drop(reading);
        let named = Summary::named(source);
        let summaries = summaries.into_iter().enumerate().map(|(place, summary)| summary.placed(&named, place));
        let summaries = summaries.collect();
        lock(&self.summaries).insert(source.id.clone(), (stamp, summaries));
        document
    }
}

/// Changed files are being read, until this is dropped.
struct Filling<'a>(&'a AtomicBool);

impl Drop for Filling<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Stamp {
    fn of(path: &Path) -> Stamp {
        let found = fs::metadata(path).ok();
        Stamp {
            modified: found.as_ref().and_then(|found| found.modified().ok()),
            bytes: found.map_or(0, |found| found.len()),
            is_locked: kept::is_running(path),
        }
    }

    /// For the header `ETag`.
    pub(super) fn tag(&self) -> String {
        let since = self.modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok()).unwrap_or_default();
        format!("\"{:x}-{:x}-{}\"", since.as_nanos(), self.bytes, u8::from(self.is_locked))
    }
}

impl Summary {
    /// What is known before reading the run.
    fn named(source: &Source) -> Summary {
        let here = std::env::current_dir().unwrap_or_default();
        let file = source.path.strip_prefix(&here).unwrap_or(&source.path);
        Summary {
            id: source.id.clone(),
            url: source.url(),
            file: file.display().to_string(),
            path: source.path.display().to_string(),
            ..Summary::default()
        }
    }

    /// What is shown of a run that cannot be shown.
    pub(super) fn of_problem(problem: &str) -> Summary {
        Summary { problem: Some(problem.to_owned()), ..Summary::default() }
    }

    /// The same with where it was read from: run number `place` of a file of results, otherwise the only run of its file.
    fn placed(self, source: &Summary, place: usize) -> Summary {
        let Summary { id, url, file, path, .. } = source.clone();
        match &self.asked {
            Some(asked) => {
                let id = if self.id.is_empty() { format!("{id}-{place}") } else { self.id.clone() };
                Summary { id, file: format!("{file}, {asked}"), path, ..self }
            }
            None => Summary { id, url, file: self.mission.clone().unwrap_or(file), path, ..self },
        }
    }

    /// What the results of an evaluation in this folder say of a run. What can be opened are the records that they keep.
    pub(super) fn of_result(line: &ResultLine, folder: &Path) -> Summary {
        let found = &line.found;
        let kept = line.records(folder).filter(|path| path.is_file());
        let sources: Vec<Source> = kept.map(Source::of).collect();
        let answer = (!found.answer.is_null()).then(|| found.answer.to_string());
        let said: Vec<&str> = answer.iter().chain(&found.problems).map(String::as_str).collect();
        let outcome = if found.passed { "passed" } else { "failed" };
        Summary {
            title: line.case().to_owned(),
            id: sources.first().map(|source| source.id.clone()).unwrap_or_default(),
            url: sources.first().map(Source::url).unwrap_or_default(),
            records: sources.into_iter().map(|source| Record { url: source.url(), path: source.path }).collect(),
            mission: Some(format!("{}: {}", line.suite, line.case())),
            asked: Some(
                line.way().map_or_else(|| format!("run {}", found.run), |way| format!("run {}, {way}", found.run)),
            ),
            answer: short(&said.join("; ")),
            ending: line.unasked.clone().unwrap_or_else(|| outcome.to_owned()),
            ok: found.passed && line.unasked.is_none(),
            model: Some(shown_addresses(line.model())),
            turns: found.turns,
            tokens: Some(found.input_tokens.saturating_add(found.output_tokens)),
            cost: found.cost,
            took_ms: found.duration_ms,
            ..Summary::default()
        }
    }

    /// What the results of a batch in this folder say of a row.
    pub(super) fn of_row(found: &RowResult, folder: &Path) -> Summary {
        let source = found.record(folder).filter(|path| path.is_file()).map(Source::of);
        let columns = found.inputs.as_object().into_iter().flatten();
        let inputs: Vec<String> =
            columns.map(|(name, value)| format!("{name} {}", short(&value.to_string()))).collect();
        let answer = (found.state == RowState::Ok).then(|| found.answer.to_string());
        Summary {
            title: format!("row {}", found.row),
            id: source.as_ref().map(|source| source.id.clone()).unwrap_or_default(),
            url: source.as_ref().map(Source::url).unwrap_or_default(),
            records: source.into_iter().map(|source| Record { url: source.url(), path: source.path }).collect(),
            asked: Some(format!("row {}", found.row)),
            inputs: short(&inputs.join(", ")),
            answer: short(&answer.or_else(|| found.message.clone()).unwrap_or_default()),
            ending: found.reason.clone().unwrap_or_else(|| found.state.as_str().to_owned()),
            ok: found.state == RowState::Ok,
            model: Some(shown_addresses(&found.model)),
            turns: found.turns,
            tokens: Some(found.tokens.total()),
            cost: found.usd,
            took_ms: found.duration_ms,
            ..Summary::default()
        }
    }

    /// What a run and its document say.
    pub(super) fn of(read: &RecordedRun, document: &Document) -> Summary {
        let here = std::env::current_dir().unwrap_or_default();
        let notes = read.record.as_ref().map(|record| &record.header().notes);
        let file = notes.and_then(|notes| notes.get("mission_file")?.as_str()).map(Path::new);
        let file = file.map(|file| file.strip_prefix(&here).unwrap_or(file));
        let inputs = read.step.data.iter().filter_map(|(key, value)| {
            let name = key_text(key);
            (!name.starts_with('_')).then(|| format!("{name} {}", short(&format(value, &FormatOptions::full()).text)))
        });
        let inputs = short(&inputs.collect::<Vec<_>>().join(", "));
        let run = &document.run;
        let totals = &run.totals;
        Summary {
            title: run.title().to_owned(),
            mission: file.map(|file| file.display().to_string()),
            inputs,
            answer: run.answer.as_ref().map(|answer| short(&answer.text)).unwrap_or_default(),
            ending: run.outcome().to_owned(),
            ok: run.ok,
            live: document.live,
            model: run.model.clone(),
            began_ms: document.began_ms,
            turns: totals.turns,
            tokens: totals.all_tokens(),
            cost: totals.all_cost(),
            took_ms: totals.took_ms,
            ..Summary::default()
        }
    }
}

/// Characters shown of inputs and of an answer.
const SHOWN: usize = 80;

fn short(text: &str) -> String {
    shortened(&one_line(text), SHOWN).into_owned()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
