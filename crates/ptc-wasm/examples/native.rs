//! The native side of `tests/wasm/run`: sessions as lines of JSON, and their outcomes without a browser.
//!
//! `native corpus` writes the sessions of the language corpus that need no tool, `native rows` calls of every function
//! with odd arguments, and `native run` reads sessions and writes their outcomes, a line each. A session is
//! `{"options", "data", "programs", "answers"}`; answers are those of all its tool calls, in order.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example is a host")]

use std::collections::VecDeque;
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;

use ptc_lisp::{Session, SessionOptions, no_tools, reference};
use ptc_tests::lang::{self, Case};
use ptc_wasm::Programs;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

#[derive(Serialize, Deserialize)]
struct Sitting {
    options: Json,
    data: Json,
    programs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<Answer>,
}

#[derive(Serialize, Deserialize)]
struct Answer {
    result: Json,
    error: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match std::env::args().nth(1).as_deref() {
        Some("corpus") => write_all(&mut out, &corpus(Path::new("tests/lang"))?)?,
        Some("rows") => write_all(&mut out, &rows())?,
        Some("run") => {
            for line in std::io::stdin().lock().lines() {
                serde_json::to_writer(&mut out, &outcomes(serde_json::from_str(&line?)?)?)?;
                writeln!(out)?;
            }
        }
        _ => return Err("usage: native corpus | rows | run < SESSIONS".into()),
    }
    Ok(out.flush()?)
}

fn write_all(out: &mut impl Write, sittings: &[Sitting]) -> Result<(), Box<dyn Error>> {
    for sitting in sittings {
        serde_json::to_writer(&mut *out, sitting)?;
        writeln!(out)?;
    }
    Ok(())
}

/// The outcomes of the programs of one session.
fn outcomes(sitting: Sitting) -> Result<Vec<Json>, Box<dyn Error>> {
    let mut answers = VecDeque::from(sitting.answers);
    let mut programs = Programs::new(&sitting.options.to_string(), &sitting.data.to_string())?;
    let mut answer = || match answers.pop_front() {
        Some(Answer { error: Some(error), .. }) => Err(error),
        Some(Answer { result, .. }) => Ok(result.to_string()),
        None => Err("no answer is left".to_owned()),
    };
    let reports = sitting.programs.iter().map(|program| programs.run(program, &mut |_| answer()));
    reports.map(|report| Ok(serde_json::to_value(report)?)).collect()
}

/// Cases that need no tool, and whose limits do not depend on the width of the machine or its speed.
fn corpus(folder: &Path) -> Result<Vec<Sitting>, Box<dyn Error>> {
    let mut sittings = Vec::new();
    for file in lang::files(folder)? {
        let cases = lang::read(&std::fs::read_to_string(&file)?).map_err(|error| format!("{error:?}"))?;
        sittings.extend(cases.iter().filter_map(sitting));
    }
    Ok(sittings)
}

fn sitting(case: &Case) -> Option<Sitting> {
    let literal = |text: &Option<String>| text.as_deref().map_or(Some(json!({})), constant);
    let mut limits = literal(&case.limits)?;
    let is_known = |limits: &Json| {
        limits.as_object().is_some_and(|limits| limits.keys().all(|name| ["fuel", "depth"].contains(&&**name)))
    };
    if !case.tools.is_empty() || !is_known(&limits) {
        return None;
    }
    // Under the load of a test machine, the default would be a matter of luck.
    limits.as_object_mut()?.insert("milliseconds".to_owned(), json!(60_000));
    let programs = case.turns.iter().map(|turn| turn.source.clone()).collect();
    let options = json!({"limits": limits, "now": 1_700_000_000_000_u64});
    Some(Sitting { options, data: literal(&case.data)?, programs, answers: Vec::new() })
}

/// The JSON of a literal, if reading it back gives the same.
fn constant(literal: &str) -> Option<Json> {
    let mut session = Session::new(SessionOptions::default());
    let value = session.run(literal, &mut no_tools).into_result().ok()?;
    let json = value.to_json().ok()?;
    (ptc_lisp::Value::from_json(json.clone()).to_string() == value.to_string()).then_some(json)
}

/// Arguments that machines of 32 bits could mistake for others.
const ODD: [&str; 14] = [
    "4294967296",
    "4294967297",
    "-4294967297",
    "2147483648",
    "9223372036854775807",
    "18446744073709551617N",
    "1e300",
    "[1 2 3]",
    "\"abc\"",
    "{:a 1}",
    "#{1 2}",
    "nil",
    "inc",
    ":a",
];

/// Every function of the language, called with one, two and three of them.
fn rows() -> Vec<Sitting> {
    // What these return depends on the clock of the process, or is as long as they are told.
    let options = json!({"limits": {"fuel": 1_000_000, "milliseconds": 60_000}, "now": 1_700_000_000_000_u64});
    let call = |name: &str, arguments: &[&str]| {
        format!(
            "(try (let [x ({name} {})] [(type x) (if (coll? x) (take 5 x) x)]) (catch Exception e (str e)))",
            arguments.join(" ")
        )
    };
    let mut sittings = Vec::new();
    for entry in reference().iter().filter(|entry| entry.kind.as_str() == "function") {
        let mut programs = Vec::new();
        for a in ODD {
            programs.push(call(entry.name, &[a]));
            programs.extend(ODD.iter().map(|b| call(entry.name, &[a, b])));
            programs.extend(ODD.iter().take(6).map(|b| call(entry.name, &["[1 2 3]", a, b])));
            programs.extend(ODD.iter().take(6).map(|b| call(entry.name, &["\"abc\"", b, a])));
        }
        sittings.push(Sitting { options: options.clone(), data: json!({}), programs, answers: Vec::new() });
    }
    sittings
}
