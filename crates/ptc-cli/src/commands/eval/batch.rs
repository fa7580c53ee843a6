//! `ptc eval --batch`: one JSON request per line in, one JSON answer per line out.

use std::io::{BufWriter, Write};
use std::time::Duration;

use ptc_runner::agent::rules;
use ptc_runner::config::read_json;
use ptc_runner::lisp::{Limits, Map, Session, SessionOptions, StoredMemory};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::Answer;
use super::isolated::{self, GRACE, Worker};
use super::memory;
use crate::data::merged;
use crate::failure::{Exit, Failure, FileFailure};
use crate::lines::Lines;
use crate::output::{OutputFailure, json_line};
use crate::program::{SessionArgs, no_tool};

/// Bytes of one request: the data is in it.
const MAX_LINE: usize = 256 << 20;

/// One line, with its parts not yet parsed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    source: Option<&'a RawValue>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(borrow, default)]
    memory: Option<&'a RawValue>,
    #[serde(borrow, default)]
    limits: Option<&'a RawValue>,
}

/// What names a request that cannot be read.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestLimits {
    fuel: Option<u64>,
    memory: Option<u64>,
    time_ms: Option<u64>,
    depth: Option<usize>,
}

/// Answer every line of standard input, each before reading the next.
pub(super) fn run(args: &SessionArgs) -> Result<Exit, Failure> {
    let common = args.options(Limits::default())?;
    requests(|number, line, out| Ok(answer(&common, line, number, out).map_err(OutputFailure)?))
}

/// The same with a worker in between, or as that worker.
pub(super) fn isolated(args: &SessionArgs) -> Result<Exit, Failure> {
    let common = args.options(Limits::default())?;
    if isolated::is_worker() {
        isolated::seal(common.limits.memory)?;
        isolated::ready()?;
        return requests(|_, line, out| {
            let (number, line) = isolated::numbered(line);
            Ok(answer(&common, line, number, out).map_err(OutputFailure)?)
        });
    }
    let mut worker = Some(Worker::start()?);
    requests(|number, line, out| {
        let request = read(line).ok();
        let (id, given) = request.map_or((None, None), |request| (request.id, request.limits));
        // The worker also answers lines that are not requests.
        let limits = limits_of(&common.limits, given).unwrap_or_else(|_| common.limits.clone());
        let unanswered = if let Some(problem) = beyond(&common.limits, &limits) {
            Answer::bad_input(id, &format!("line {number}: {problem}"))
        } else {
            let running = match &mut worker {
                Some(running) => running,
                none => none.insert(Worker::start()?),
            };
            match running.ask(number, line, limits.time.saturating_add(GRACE)) {
                Ok(answer) => return Ok(out.write_all(&answer).map_err(OutputFailure)?),
                Err(unanswered) => {
                    // The next request starts another worker: this answer is written before that can fail.
                    worker = None;
                    Answer::error(id, unanswered.reason.as_str(), &unanswered.message)
                }
            }
        };
        Ok(json_line(out, &unanswered).map_err(OutputFailure)?)
    })
}

/// Do this with the number and the text of every request on standard input.
fn requests(mut each: impl FnMut(u64, &[u8], &mut dyn Write) -> Result<(), Failure>) -> Result<Exit, Failure> {
    let mut lines = Lines::new(std::io::stdin().lock(), MAX_LINE);
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    for number in 1_u64.. {
        let line = lines.next().map_err(FileFailure::unreadable(format!("line {number} of standard input")))?;
        let Some(line) = line else { break };
        if !line.trim_ascii().is_empty() {
            each(number, line, &mut out)?;
            out.flush().map_err(OutputFailure)?;
        }
    }
    Ok(Exit::Ok)
}

fn answer(common: &SessionOptions, line: &[u8], number: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let request = match read(line) {
        Ok(request) => request,
        Err(problem) => {
            let id = serde_json::from_slice::<Named<'_>>(line).ok().and_then(|named| named.id);
            return json_line(out, &Answer::bad_input(id, &format!("line {number}: {problem}")));
        }
    };
    let (source, options, stored) = match prepare(common, &request) {
        Ok(prepared) => prepared,
        Err(problem) => return json_line(out, &Answer::bad_input(request.id, &format!("line {number}: {problem}"))),
    };
    let mut session = Session::new(options);
    let left_out = session.restore_memory(&stored);
    drop(stored);
    let outcome = session.run(&source, &mut no_tool);
    json_line(out, &Answer::new(request.id, &source, &outcome, &mut session, left_out))
}

fn read(line: &[u8]) -> Result<Request<'_>, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    if !text.trim_start().starts_with('{') {
        return Err("expected a JSON object such as {\"id\": 1, \"source\": \"(+ 1 2)\"}".to_owned());
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn prepare(common: &SessionOptions, request: &Request<'_>) -> Result<(String, SessionOptions, StoredMemory), String> {
    let source = request.source.ok_or("`source` is missing; it holds the program as a string")?;
    let source: String =
        serde_json::from_str(source.get()).map_err(|error| format!("`source` must be a string: {error}"))?;
    let options = SessionOptions {
        data: request.data.map_or(Ok(common.data.clone()), |data| with_data(&common.data, data.get()))?,
        limits: limits_of(&common.limits, request.limits)?,
        seed: common.seed,
        ..SessionOptions::default()
    };
    let stored = memory::of_request(request.memory, &options.limits)?;
    Ok((source, options, stored))
}

/// The data of the command line, overridden by that of the request.
fn with_data(common: &Map, data: &str) -> Result<Map, String> {
    let value = read_json(data).map_err(|error| format!("`data`: {error}"))?;
    let own = value.as_map().ok_or("`data` must be an object")?;
    rules::data(own).map_err(|error| error.to_string())?;
    Ok(merged(common, own))
}

/// The limits of a request: its own instead of the common ones.
fn limits_of(common: &Limits, given: Option<&RawValue>) -> Result<Limits, String> {
    let Some(given) = given else { return Ok(common.clone()) };
    let given: RequestLimits = serde_json::from_str(given.get()).map_err(|error| format!("`limits`: {error}"))?;
    Ok(Limits {
        fuel: given.fuel.unwrap_or(common.fuel),
        memory: given.memory.unwrap_or(common.memory),
        time: given.time_ms.map_or(common.time, Duration::from_millis),
        depth: given.depth.unwrap_or(common.depth),
        ..common.clone()
    })
}

/// The limit that exceeds the bounds of the worker.
fn beyond(most: &Limits, given: &Limits) -> Option<String> {
    let whole = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let rows = [
        ("fuel", "fuel", given.fuel, most.fuel),
        ("memory", "memory", given.memory, most.memory),
        ("time_ms", "time", millis(given.time), millis(most.time)),
        ("depth", "depth", whole(given.depth), whole(most.depth)),
    ];
    let (name, flag, given, most) = rows.into_iter().find(|(_, _, given, most)| given > most)?;
    Some(format!(
        "`limits`: {name} is {given}, above the {most} that a request may have with --isolate here; lower it, or start the command with `--limit {flag}={given}`"
    ))
}
