//! A rules engine: rules are compiled once, and threads call a function of them with data of Rust and limits for each call.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example is a host")]

use std::error::Error;
use std::ops::Range;
use std::thread;

use ptc_lisp::{FnTools, Function, Limits, Program, ProgramError, SessionOptions, ToolError, ToolSpec, no_tools};
use serde::{Deserialize, Serialize};

const RULES: &str = "
(def base 10)

(defn score \"Risk of an order\" [{:keys [country total items]}]
  (+ base
     (if (> total 1000) 50 0)
     (* 2 (count items))
     (if (= country \"Atlantis\") 40 0)))

(defn rated [order]
  (* (:risk (tool/look-up {:country (:country order)})) (score order)))";

#[derive(Serialize)]
struct Order {
    country: &'static str,
    total: u32,
    items: Vec<&'static str>,
}

#[derive(Deserialize)]
struct Country {
    country: String,
}

#[derive(Serialize)]
struct Rating {
    risk: f64,
}

fn look_up(asked: Country) -> Result<Rating, ToolError> {
    match asked.country.as_str() {
        "Nowhere" => Err(ToolError::new("'Nowhere' is not a country that is rated")),
        "Atlantis" => Ok(Rating { risk: 1.5 }),
        _ => Ok(Rating { risk: 1.0 }),
    }
}

/// Arguments and results are types of Rust; by the signature, mistakes in arguments are found before anything runs.
fn tools(spec: &ToolSpec) -> FnTools<'static> {
    FnTools::new().with(spec.clone(), look_up)
}

fn order(number: u32) -> Order {
    let country = if number.is_multiple_of(7) { "Atlantis" } else { "Italy" };
    Order { country, total: number % 2_000, items: vec!["tea"; (number % 5) as usize] }
}

/// The sum of the scores of some orders: each thread has a session, and all share the compiled program.
fn total(rules: &Program, rated: &Function, spec: &ToolSpec, numbers: Range<u32>) -> Result<f64, ProgramError> {
    let (mut session, mut tools) = (rules.session(), tools(spec));
    let limits = Limits { fuel: 10_000, memory: 1 << 20, ..Limits::default() };
    let mut rate = |number| session.call(rated, (order(number),), &limits, &mut |call| tools.answer(call));
    numbers.map(|number| rate(number).into_typed::<f64>()).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let spec = ToolSpec::new("look-up").signature("(country :string) -> {risk :float}".parse()?);
    let options = SessionOptions { tools: tools(&spec).specs(), ..SessionOptions::default() };
    let rules = Program::compile(RULES, options)?;
    let (score, rated) = (rules.function("score")?, rules.function("rated")?);

    let parts: Vec<Result<f64, ProgramError>> = thread::scope(|scope| {
        let (rules, rated, spec) = (&rules, &rated, &spec);
        let part = |from| scope.spawn(move || total(rules, rated, spec, from..from + 1_000));
        let parts: Vec<_> = [0, 1_000, 2_000, 3_000].map(part).into();
        parts.into_iter().filter_map(|part| part.join().ok()).collect()
    });
    println!("{} parts, {}", parts.len(), parts.into_iter().sum::<Result<f64, _>>()?);

    // A mistake in the data fails in line 6 of the rules, and that line is what is shown.
    let wrong = serde_json::json!({"country": "Italy", "total": "20"});
    let outcome = rules.session().call(&score, (wrong,), &Limits::default(), &mut no_tools);
    outcome.problems().iter().for_each(|problem| print!("{}", problem.snippet(false)));
    Ok(())
}
