//! What shows that a statement is true.

use ptc_transcript::{ValueForm, json_of};

use crate::world::{Seen, agent, histories, outcome, run};

/// One way to show it.
pub(crate) enum Proof {
    /// A program and its value.
    Gives(&'static str, &'static str),
    /// A program and a piece of its error.
    Fails(&'static str, &'static str),
    /// A run whose model answers with these programs, in every way of showing history.
    Run(&'static [&'static str], &'static [Expect]),
    /// A test in Rust; the words of the sentence that it is about.
    Test(&'static str, fn() -> Result<(), String>),
}

/// What must hold of a run.
pub(crate) enum Expect {
    /// This request has the text.
    Shows(usize, &'static str),
    /// This request does not have it.
    Hides(usize, &'static str),
    /// The answer, as JSON.
    Returns(&'static str),
    /// How many requests there were.
    Asks(usize),
    /// How often a tool was called.
    Calls(usize),
}

impl Proof {
    /// Its programs, searched for the words in code marks.
    pub(crate) fn programs(&self) -> String {
        match self {
            Proof::Gives(program, value) => format!("{program} {value}"),
            Proof::Fails(program, _) | Proof::Test(program, _) => (*program).to_owned(),
            Proof::Run(programs, _) => programs.join(" "),
        }
    }

    /// What is wrong with it.
    pub(crate) fn problem(&self) -> Option<String> {
        match self {
            Proof::Gives(program, value) => {
                let found = outcome(program);
                (found.as_deref() != Ok(value)).then(|| format!("{program} gives {found:?}, not {value}"))
            }
            Proof::Fails(program, piece) => {
                let found = outcome(program);
                let fails = found.as_ref().is_err_and(|error| error.contains(piece));
                (!fails).then(|| format!("{program} gives {found:?}, not the error \"{piece}\""))
            }
            Proof::Run(programs, expected) => histories().into_iter().find_map(|(name, history)| {
                let seen = run(agent().compression(history), programs);
                let problem = expected.iter().find_map(|expect| expect.problem(&seen))?;
                Some(format!("{programs:?} with {name}: {problem}"))
            }),
            Proof::Test(_, test) => test().err(),
        }
    }
}

impl Expect {
    fn problem(&self, seen: &Seen) -> Option<String> {
        match self {
            Expect::Shows(number, text) if seen.requests.len() >= *number => {
                let request = seen.request(*number);
                (!request.contains(text)).then(|| format!("request {number} does not show {text:?}:\n{request}"))
            }
            Expect::Hides(number, text) if seen.requests.len() >= *number => {
                let request = seen.request(*number);
                request.contains(text).then(|| format!("request {number} shows {text:?}:\n{request}"))
            }
            Expect::Shows(number, _) | Expect::Hides(number, _) => {
                Some(format!("there is no request {number}: {:?}", seen.step.result))
            }
            Expect::Returns(json) => {
                let found = seen.step.result.as_ref().map(|value| json_of(value, ValueForm::Plain).to_string());
                (!found.as_ref().is_ok_and(|found| found == json))
                    .then(|| format!("the run gives {found:?}, not {json}"))
            }
            Expect::Asks(number) => {
                let found = seen.requests.len();
                (found != *number).then(|| format!("the model is asked {found} times, not {number}"))
            }
            Expect::Calls(number) => {
                let found: usize = seen.step.turns().iter().map(|turn| turn.tool_calls().len()).sum();
                (found != *number).then(|| format!("{found} calls, not {number}"))
            }
        }
    }
}
