//! `ptc replay`: a recorded run with another compression or by native tool calls, without a model.

mod failure;
mod variant;

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ptc_runner::chat::Message;
use ptc_runner::compression::{O200k, Strategy, UnknownStrategy, one_line};
use ptc_runner::trace::Trace;
use ptc_runner::trace::replay::{Comparison, NativeTools, PriceBook, Prices, Rendition, RenditionError};
use ptc_runner::transcript::{JournalError, Recorded, Step};
use serde::Serialize;

use crate::failure::{Exit, Failure};
use crate::files::{self, Format, WholeFile};
use crate::output::{self, OutputFailure};
use crate::prices::{self, PricesArgs};
use crate::recorded::{self, Found, RecordedRun};
use crate::{bounded, completion, kept};

use failure::ReplayFailure;
use variant::{AS_SENT, Variant, native_tools};

/// Whose prices count for a run whose model has none.
const PRICES: &str = "claude-sonnet-4.5";

const REPLAY_EXAMPLES: &str = "\
Examples:
  ptc replay                                               # no compression and every strategy next to what was sent
  ptc replay last --compression rolling-window,window=2 --compression aggressive
  ptc replay run.jsonl --against none --compression single-user-coalesced --prices gpt-5-mini
  ptc replay -2 --compression sliding-window,turns=3 --compression cleared-outputs,keep=1
  ptc replay --as native-tools --as native-tools,batches,words=20
  ptc replay run.jsonl --prices prices.toml --prices own-large
  ptc replay run.jsonl --svg tokens.svg
  ptc replay last -2 --json | jq '.renditions[].totals.input'

A strategy is written as in mission files: its name, then options. `none` is the plain dialogue. To compare with, there are
`sliding-window,turns=N` (the plain dialogue of the newest turns) and `cleared-outputs,keep=N` (the plain dialogue in which
a placeholder replaces older output).

`--as native-tools` shows the work as a model does it that calls tools itself: a request for each call. What the run does not
say is assumed: `batches` (independent calls share a request), `words=N` (before the calls of a request), `answer=N` (words of
the closing text instead of the answer), `data=no` (the data is not in its first message).

The run is a record, or a step with typed values of an older release. Its answers stay what they were: a model that had been shown something else
might have answered differently.

Without --prices the costs are at the prices of the run's model, else at those of claude-sonnet-4.5.

Exit codes: 0 ok, 2 wrong usage or unreadable input.";

/// Show what a run would have cost with other compression, or with native tool calls.
///
/// No model and no tool is called.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// Runs: files, ids, `last`, `-2`; by default the last one in this folder.
    #[arg(value_name = "RUN", allow_negative_numbers = true, add = completion::runs())]
    files: Vec<String>,
    /// A strategy to compare; may be repeated. Without it and without --as: `none` and every strategy.
    #[arg(long, value_name = "S[,k=v…]")]
    compression: Vec<String>,
    /// Native tool calls to compare: `native-tools`, then `batches`, `words=N`, `answer=N`, `data=no`. May be repeated.
    #[arg(long = "as", value_name = "WAY[,k=v…]")]
    variants: Vec<String>,
    /// The baseline: a strategy, or `as-sent` for the requests of the record. By default the strategy that the run was
    /// shown with.
    #[arg(long, value_name = "S[,k=v…]")]
    against: Option<String>,
    #[command(flatten)]
    prices: PricesArgs,
    /// Print a JSON object for each file, one per line.
    #[arg(long)]
    json: bool,
    /// Draw the tokens of each request into this file; for a single run.
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Overwrite an existing file of any kind with --svg.
    #[arg(long)]
    force: bool,
}

/// What `--json` prints of a file.
#[derive(Serialize)]
struct Line<'a> {
    file: String,
    ending: &'a str,
    turns: usize,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Run the command.
pub(crate) fn run(args: &ReplayArgs) -> Result<Exit, Failure> {
    bounded::within(|| replay(args))
}

fn replay(args: &ReplayArgs) -> Result<Exit, Failure> {
    let named = if args.files.is_empty() { vec!["last".to_owned()] } else { args.files.clone() };
    let find = |name: &String| kept::find(Path::new(""), name);
    let files: Vec<PathBuf> = named.iter().map(find).collect::<Result<_, _>>()?;
    if args.svg.is_some() && files.len() > 1 {
        return Err(ReplayFailure::OnePicture { files: files.len() }.into());
    }
    let lists = args.prices.files().map(|list| ("the prices", list));
    let inputs: Vec<(&'static str, &Path)> =
        files.iter().map(|file| ("the run", file.as_path())).chain(lists).collect();
    files::apart(&[("--svg", args.svg.as_deref())], &inputs)?;
    let svg = args.svg.as_deref().map(|out| WholeFile::at(out, Format::SVG, args.force)).transpose()?;
    let book = args.prices.book_here()?;
    let mut noted = Vec::new();
    let rendered = args.against.as_deref().filter(|text| *text != AS_SENT);
    let against = rendered.map(|text| Variant::parse("--against", text)).transpose()?;
    let variants = variants(args)?;
    let direct: Vec<NativeTools> = args.variants.iter().map(|text| native_tools(text)).collect::<Result<_, _>>()?;
    for path in &files {
        let run = read(path)?;
        let prices = prices(&book, &run)?;
        if !noted.contains(&prices.name) {
            note(&prices);
            noted.push(prices.name.clone());
        }
        let comparison = compare(args, path, &run, against.as_ref(), (&variants, &direct), &prices)?;
        if let Some(svg) = &svg {
            svg.write(&comparison.to_svg(&format!("Tokens of each request: {}", path.display())))?;
        }
        print(args, path, &run, &comparison)?;
    }
    Ok(Exit::Ok)
}

/// The prices of a run: those asked for, else those of its model.
fn prices(book: &PriceBook, run: &RecordedRun) -> Result<Prices, Failure> {
    let model = run.record.as_ref().and_then(Recorded::model).unwrap_or_default();
    match book.of_run(model) {
        Some(prices) => Ok(prices.clone()),
        None => Ok(prices::of_model(book, PRICES)?),
    }
}

/// Prices may be out of date.
fn note(prices: &Prices) {
    if let Some(note) = prices.note(Timestamp::now().to_zoned(TimeZone::UTC).date()) {
        output::notes(&[format!("{note}; give others with `--prices`")]);
    }
}

fn variants(args: &ReplayArgs) -> Result<Vec<Variant>, Failure> {
    let strategy = |text: &str| Variant::parse("--compression", text);
    if args.compression.is_empty() && args.variants.is_empty() {
        return std::iter::once("none").chain(Strategy::NAMES.iter().copied()).map(strategy).collect();
    }
    args.compression.iter().map(|text| strategy(text)).collect()
}

fn read(path: &Path) -> Result<RecordedRun, Failure> {
    let found = Found::in_file(path)?;
    if Trace::is_log(&found.bytes) {
        return Err(ReplayFailure::Log { path: path.to_owned() }.into());
    }
    let run = recorded::read(path, &found)?;
    if let Some(damage) = &run.damage {
        return Err(format!("{}: {damage}", ptc_runner::config::named(path)).into());
    }
    if run.has_plain_values {
        return Err(ReplayFailure::PlainValues { path: path.to_owned() }.into());
    }
    let left_out = run.record.as_ref().and_then(|record| record.header().data_left_out.keys().next());
    if let Some(name) = left_out {
        return Err(ReplayFailure::DataLeftOut { path: path.to_owned(), name: name.clone() }.into());
    }
    Ok(run)
}

fn compare(
    args: &ReplayArgs,
    path: &Path,
    run: &RecordedRun,
    against: Option<&Variant>,
    (variants, direct): (&[Variant], &[NativeTools]),
    prices: &Prices,
) -> Result<Comparison, Failure> {
    let step = &run.step;
    let refused = |source| ReplayFailure::Run { path: path.to_owned(), source };
    let sent = || as_sent(run).map_err(|problem| format!("{}: {problem}", path.display()));
    let reference = match against {
        Some(variant) => variant.rendition(step).map_err(refused)?,
        None if args.against.is_none() => match Rendition::as_sent(step) {
            Some(collected) => collected,
            None => recorded_rendition(path, step)?,
        },
        None => sent()?.ok_or_else(|| ReplayFailure::NotCollected { path: path.to_owned() })?,
    };
    let mut renditions = vec![reference];
    for variant in variants {
        if renditions.iter().all(|known| known.name != variant.name) {
            renditions.push(variant.rendition(step).map_err(refused)?);
        }
    }
    for (text, variant) in args.variants.iter().zip(direct) {
        let rendition = variant.rendition(step).map_err(refused)?;
        renditions.push(Rendition { name: text.clone(), ..rendition });
    }
    Ok(Comparison::new(step, &renditions, &O200k, Some(prices.clone())))
}

/// The requests as they were sent, the last one of each turn: those of the record, or what a step collected.
fn as_sent(run: &RecordedRun) -> Result<Option<Rendition>, JournalError> {
    let Some(record) = run.record.as_ref().filter(|record| record.model().is_some()) else {
        return Ok(Rendition::as_sent(&run.step));
    };
    let mut requests: Vec<Vec<Message>> = Vec::new();
    for sent in record.requests() {
        let (_, request) = sent?;
        requests.truncate((request.turn as usize).saturating_sub(1));
        requests.push(request.messages);
    }
    Ok(Some(Rendition { name: "as sent".to_owned(), requests, stats: None, over_ceiling: None, own: None }))
}

/// The requests as the step says that they were rendered.
fn recorded_rendition(path: &Path, step: &Step) -> Result<Rendition, Failure> {
    let name = match step.compression.as_slice() {
        [only] => one_line(&only.compression),
        _ => "as recorded".to_owned(),
    };
    let refused = |source| ReplayFailure::Run { path: path.to_owned(), source }.into();
    match Rendition::recorded(step, name) {
        Err(RenditionError::NotSaid) => {
            let path = path.display();
            output::notes(&[format!(
                "{path} is of an older release, which does not say how history was shown; `--against S` says it"
            )]);
            Variant::parse("--compression", "none")?.rendition(step).map_err(refused)
        }
        Err(RenditionError::Unknown(UnknownStrategy::Name { name })) => {
            Err(ReplayFailure::OwnStrategy { path: path.to_owned(), name }.into())
        }
        rendition => rendition.map_err(refused),
    }
}

fn print(args: &ReplayArgs, path: &Path, run: &RecordedRun, comparison: &Comparison) -> Result<(), OutputFailure> {
    let (ending, turns) = (run.step.ending.as_str(), run.step.turns().len());
    if args.json {
        return output::json(&Line { file: path.display().to_string(), ending, turns, comparison });
    }
    let turns = output::counted(turns, "turn");
    output::print(|out| writeln!(out, "{}: {turns}, {ending}\n\n{}", path.display(), comparison.format()))
}
