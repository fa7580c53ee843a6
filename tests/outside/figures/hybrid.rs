//! Native calls and programs offered side by side: for each text of the user the model chooses one of them.
//!
//! The dialogue is that of native calls, and a program is the call of one more tool, `run_program`. What is said of a text
//! of the user is that of the two pure ways, so nothing runs here: a request is the sum of what was said before it.

use ptc_runner::chat::{Message, Role, Tokens};
use ptc_runner::compression::{O200k, TokenCounter};
use ptc_runner::lisp::text::{FormatOptions, format, shortened_counted};
use ptc_runner::lisp::{ToolSpec, Value};
use ptc_runner::prelude::Step;
use ptc_runner::trace::replay::{Prices, Rendition};
use ptc_tests::outside::Figures;
use ptc_tests::study::Cost;
use serde_json::json;

use crate::task::Task;
use crate::{Res, measure, run};

/// Characters shown of what a program returned, as in a conversation of programs.
const MAX_ANSWER: usize = 500;

/// How a text of the user is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// By native calls, in batches.
    Native,
    /// By programs.
    Programs,
}

/// A task with both ways of doing each text of the user, in tokens.
#[derive(Debug, Clone)]
pub(crate) struct Hybrid {
    /// What precedes the dialogue in each request.
    beginning: u64,
    texts: Vec<Text>,
}

/// A text of the user.
#[derive(Debug, Clone, Default)]
struct Text {
    said: u64,
    calls: usize,
    native: Vec<Exchange>,
    programs: Vec<Exchange>,
}

/// What the model writes after a request, and what it reads then.
#[derive(Debug, Clone, Copy, Default)]
struct Exchange {
    written: u64,
    read: u64,
}

impl Hybrid {
    /// `literal` are the runs whose calls native calls make, `careful` those of programs.
    pub(crate) fn new(task: &Task, literal: &[Step], careful: &[Step]) -> Res<Hybrid> {
        let native = measure::native(task, literal, true)?;
        let own = native.own.as_ref().ok_or("native calls have no texts")?;
        let closing = own.answers.last().map(|text| Message::assistant(text.as_str()));
        let dialogue: Vec<Message> = native.requests.last().cloned().into_iter().flatten().chain(closing).collect();
        let mut texts = native_texts(&dialogue);
        if texts.len() != task.turns.len() || careful.len() != texts.len() {
            return Err("native calls and programs do not have the texts of the task".into());
        }
        for ((text, turn), step) in texts.iter_mut().zip(&task.turns).zip(careful) {
            text.calls = turn.calls.len();
            text.programs = programs(step)?;
        }
        let first = careful.first().ok_or("nothing was run")?;
        let parts = [first.system.as_deref().unwrap_or_default(), &own.beginning, &run_program(&first.tools)];
        Ok(Hybrid { beginning: parts.into_iter().map(tokens).sum(), texts })
    }

    /// The least that can be paid, and how many texts are done natively then: at each of the prices the best choices at
    /// these. Requests and tokens are those at the first prices.
    pub(crate) fn cheapest(&self, prices: &[Prices]) -> Res<(Figures, usize)> {
        let all: Vec<Vec<Choice>> = every_choice(self.texts.len())?;
        let all: Vec<(Figures, usize)> = all
            .iter()
            .map(|choices| {
                let natively = choices.iter().filter(|choice| **choice == Choice::Native).count();
                (self.figures(choices, prices), natively)
            })
            .collect();
        let best = |place: usize| {
            let cost = |figures: &Figures| figures.costs.get(place).map_or(f64::INFINITY, |cost| cost.cached);
            let best = all.iter().min_by(|one, other| cost(&one.0).total_cmp(&cost(&other.0)));
            best.ok_or("there are no choices")
        };
        let (mut least, natively) = best(0)?.clone();
        for (place, cost) in least.costs.iter_mut().enumerate() {
            *cost = best(place)?.0.costs.get(place).copied().unwrap_or_default();
        }
        Ok((least, natively))
    }

    /// What a model would pay that makes a single call natively, and writes a program for several.
    pub(crate) fn single_calls_native(&self, prices: &[Prices]) -> Figures {
        let choice = |text: &Text| if text.calls <= 1 { Choice::Native } else { Choice::Programs };
        self.figures(&self.texts.iter().map(choice).collect::<Vec<_>>(), prices)
    }

    /// The figures of these choices. Each request repeats all of the one before, and all of it is in the cache.
    pub(crate) fn figures(&self, choices: &[Choice], prices: &[Prices]) -> Figures {
        let mut figures = Figures::default();
        let (mut before, mut now) = (0, self.beginning);
        for (text, choice) in self.texts.iter().zip(choices) {
            now += text.said;
            let exchanges = if *choice == Choice::Native { &text.native } else { &text.programs };
            for exchange in exchanges {
                figures.requests += 1;
                figures.input += now;
                figures.shared += before;
                figures.output += exchange.written;
                before = now;
                now += exchange.written + exchange.read;
            }
        }
        let sum = Tokens { input: figures.input, output: figures.output, ..Tokens::default() };
        let cached = Tokens { cached: figures.shared, cache_write: figures.input - figures.shared, ..sum };
        figures.costs =
            prices.iter().map(|prices| Cost { cached: prices.cost(&cached), uncached: prices.cost(&sum) }).collect();
        figures
    }

    /// The same with what precedes native calls alone.
    #[cfg(test)]
    pub(crate) fn beginning_with(self, text: &str) -> Hybrid {
        Hybrid { beginning: tokens(text), ..self }
    }

    /// Each text done in this way.
    #[cfg(test)]
    pub(crate) fn all(&self, choice: Choice) -> Vec<Choice> {
        vec![choice; self.texts.len()]
    }
}

/// The texts of the user in a whole dialogue of native calls, with what was said after each.
fn native_texts(dialogue: &[Message]) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    for message in dialogue {
        let count = tokens(&message.content());
        match (message.role, texts.last_mut()) {
            (Role::User, _) => texts.push(Text { said: count, ..Text::default() }),
            (Role::Assistant, Some(text)) => text.native.push(Exchange { written: count, read: 0 }),
            (_, Some(text)) => text.native.last_mut().into_iter().for_each(|exchange| exchange.read += count),
            (_, None) => {}
        }
    }
    texts
}

/// A text of the user by programs: each is a call, and a program that returns ends it.
fn programs(step: &Step) -> Res<Vec<Exchange>> {
    // In the plain dialogue each request ends with what the model reads about its last program.
    let plain = Rendition::under(step, "plain", &false.into())?;
    let shown = plain.requests.iter().skip(1).filter_map(|request| request.last());
    let read = shown.map(|message| tokens(&message.content())).chain([tokens(&returned(step))]);
    let programs = step.turns().iter().filter_map(|turn| turn.program());
    let call = |program: &str| json!({"name": "run_program", "arguments": {"program": program}}).to_string();
    Ok(programs.map(call).zip(read).map(|(call, read)| Exchange { written: tokens(&call), read }).collect())
}

/// What the model reads of what a program returned.
fn returned(step: &Step) -> String {
    let whole = |value: &Value| format(value, &FormatOptions::full()).text;
    let text = step.result.as_ref().map(|value| value.as_str().map_or_else(|| whole(value), str::to_owned));
    shortened_counted(&text.unwrap_or_default(), MAX_ANSWER).into_owned()
}

/// The definition of the tool that runs programs. Native definitions do not say what tools return, which programs must
/// know.
fn run_program(tools: &[ToolSpec]) -> String {
    let result = |spec: &ToolSpec| {
        let result = spec.signature.as_ref().filter(|_| run::is_declared(spec))?.result();
        Some(format!("tool/{} -> {}", spec.name, result.plain()))
    };
    let results: Vec<String> = tools.iter().filter_map(result).collect();
    let description = format!(
        "Run a PTC-Lisp program that calls the other tools as (tool/NAME {{:param value}}).\n{}",
        results.join("\n")
    );
    let program = json!({"type": "object", "properties": {"program": {"type": "string"}}, "required": ["program"]});
    json!({"name": "run_program", "description": description, "parameters": program}).to_string()
}

/// Every way of choosing for this many texts.
fn every_choice(texts: usize) -> Res<Vec<Vec<Choice>>> {
    if texts > 12 {
        return Err(format!("{texts} texts of the user have too many choices").into());
    }
    let choice = |number: usize, text: usize| if number >> text & 1 == 0 { Choice::Programs } else { Choice::Native };
    Ok((0..1 << texts).map(|number| (0..texts).map(|text| choice(number, text)).collect()).collect())
}

fn tokens(text: &str) -> u64 {
    O200k.count(text) as u64
}
