//! One run with every way of showing history.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ptc_runner::compression::{ByteBound, CompressionConfig, O200k, Strategy, TokenCounter, error_block};
use ptc_runner::prelude::Step;
use ptc_runner::trace::replay::{ClearedOutputs, Comparison, Measured, Prices, Rendition, RequestSize, SlidingWindow};
use ptc_runner::transcript::Turn;
use ptc_tests::study::{Cost, Figures, Mission, NONE, NONE_FULL, Shown};

use crate::{OUTPUTS, Res, Run, WINDOW};

/// A mission in figures, and drawn.
pub(crate) struct MeasuredMission {
    pub(crate) mission: Mission,
    pub(crate) picture: String,
}

/// Tokens in the vocabulary of O200k; equal texts are counted once, since most of a request is repeated in the next
/// one.
#[derive(Default)]
pub(crate) struct Remembering(Mutex<HashMap<String, usize>>);

impl TokenCounter for Remembering {
    fn name(&self) -> &str {
        O200k.name()
    }

    fn count(&self, text: &str) -> usize {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = known.get(text) {
            return *count;
        }
        let count = O200k.count(text);
        known.insert(text.to_owned(), count);
        count
    }
}

/// Measure a run in these ways.
pub(crate) fn mission(name: &str, run: &Run, ways: &[String], prices: &[Prices]) -> Res<MeasuredMission> {
    let (step, tokens) = (&run.step, Remembering::default());
    let mut under_full = step.clone();
    under_full.system = Some(run.full.as_str().into());
    let renditions =
        ways.iter().map(|way| Ok(Rendition::under(step, way, &config(way, step)?)?)).collect::<Res<Vec<_>>>()?;
    let step_of = |rendition: &Rendition| if rendition.name == NONE_FULL { &under_full } else { step };
    let figures = renditions
        .iter()
        .map(|rendition| figures(step_of(rendition), rendition, prices, &tokens))
        .collect::<Res<_>>()?;
    let drawn: Vec<Rendition> = renditions.into_iter().filter(|rendition| rendition.name != NONE_FULL).collect();
    let in_tokens = Comparison::new(step, &drawn, &tokens, None);
    let past = past(step);
    let definitions = std::iter::once(&step.memory_at_start).chain(past.iter().map(Turn::memory));
    let mission = Mission {
        name: name.to_owned(),
        turns: step.turns().len(),
        past: past.len(),
        failed: past.iter().filter(|turn| !turn.is_success()).count(),
        attempt_bytes: std::iter::once(0).chain(past.iter().map(attempt_bytes)).collect(),
        definitions: definitions.map(|memory| memory.entries().len()).collect(),
        system: in_tokens.system_tokens.ok_or("the step has no system text")?,
        output: in_tokens.output.iter().sum(),
        ways: figures,
    };
    let picture = in_tokens.to_svg(&format!("Tokens of each request of `{name}`, without the system text"));
    Ok(MeasuredMission { mission, picture })
}

fn figures(step: &Step, rendition: &Rendition, prices: &[Prices], tokens: &Remembering) -> Res<Figures> {
    let measured = |counter: &dyn TokenCounter, prices: Option<&Prices>| -> Res<Measured> {
        let comparison = Comparison::new(step, std::slice::from_ref(rendition), counter, prices.cloned());
        Ok(comparison.renditions.into_iter().next().ok_or("nothing was measured")?)
    };
    let (in_tokens, in_bytes) = (measured(tokens, None)?, measured(&ByteBound, None)?);
    let cost = |prices| measured(tokens, Some(prices)).map(|measured| measured.totals.cost.unwrap_or_default());
    Ok(Figures {
        input: each(&in_tokens, |size| size.tokens),
        fresh: each(&in_tokens, |size| size.tokens - size.shared),
        history: each(&in_tokens, |size| size.history + size.definitions),
        history_bytes: each(&in_bytes, |size| size.history),
        user_bytes: each(&in_bytes, |size| size.definitions),
        costs: prices
            .iter()
            .map(|prices| cost(prices).map(|cost| Cost { uncached: cost.uncached, cached: cost.cached }))
            .collect::<Res<_>>()?,
        shown: shown(step, rendition),
    })
}

/// The meaning of a name in tables.
fn config(way: &str, step: &Step) -> Res<CompressionConfig> {
    Ok(match way.split(' ').next().unwrap_or(way) {
        _ if way == NONE_FULL => false.into(),
        NONE => false.into(),
        SlidingWindow::NAME => SlidingWindow::of(step, WINDOW).into(),
        ClearedOutputs::NAME => ClearedOutputs::of(step, OUTPUTS).into(),
        name => Strategy::from_name(name).ok_or_else(|| format!("there is no strategy `{name}`"))?.into(),
    })
}

/// The turns that the last request shows.
fn past(step: &Step) -> &[Turn] {
    step.turns().split_last().map_or(&[], |(_, past)| past)
}

fn attempt_bytes(turn: &Turn) -> u64 {
    error_block(turn).map_or(0, |block| block.len() as u64)
}

fn each(measured: &Measured, part: fn(&RequestSize) -> u64) -> Vec<u64> {
    measured.requests.iter().map(part).collect()
}

/// Prints and calls as strategies count them; programs and errors are searched in the text.
fn shown(step: &Step, rendition: &Rendition) -> Shown {
    let past = past(step);
    let last = rendition.requests.last().into_iter().flatten();
    let text: String = last.map(|message| format!("{}\n", message.content())).collect();
    let found = |texts: Vec<String>| {
        let shown = texts.iter().filter(|wanted| text.contains(wanted.as_str())).count();
        [shown, texts.len()]
    };
    let programs = past.iter().filter_map(|turn| Some(turn.program()?.trim().to_owned()));
    let errors = past.iter().filter(|turn| !turn.is_success()).filter_map(Turn::error_message);
    let good = || past.iter().filter(|turn| turn.is_success());
    let (all_prints, all_calls) =
        (good().map(|turn| turn.prints().len()).sum(), good().map(|turn| turn.tool_calls().len()).sum());
    let stats = rendition.stats.as_ref();
    Shown {
        programs: found(programs.collect()),
        prints: stats.map_or([all_prints; 2], |stats| [stats.printlns_shown, stats.printlns_total]),
        calls: stats.map_or([all_calls; 2], |stats| [stats.tool_calls_shown, stats.tool_calls_total]),
        errors: found(errors.map(|message| message.lines().next().unwrap_or_default().to_owned()).collect()),
    }
}
