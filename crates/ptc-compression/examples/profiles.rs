//! How long it takes to know 100,000 records: their profile in the first message, and their fields before a program runs:
//! `cargo run --release -p ptc-compression --example profiles -- [RECORDS]`.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example is a host")]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use ptc_compression::words::DataShapes;
use ptc_lisp::{Import, Map, Session, SessionOptions, Value};

/// The fastest of this many times counts: the others had to wait for something else.
const TIMES: usize = 9;
const FIELDS: [&str; 10] =
    ["id", "customer", "country", "ordered", "status", "quantity", "price", "total", "paid", "note"];

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(100_000), |text| text.parse())?;
    for (name, rows) in
        [("rows of a file", rows(count)), ("maps of JSON", maps(count)), ("lines of a log", lines(count))]
    {
        let data = Value::map_from([(Value::keyword("rows"), rows)]);
        let Value::Map(data) = data else { return Err("data is a map".into()) };
        let shapes = fastest(|| DataShapes::new(&data));
        let columns = fastest(|| DataShapes::with_columns(&data));
        let fields = fields(&data)?;
        println!("{name}: profile {shapes:.1} ms, with columns {columns:.1} ms, fields {fields:.1} ms");
    }
    Ok(())
}

fn fastest<T>(mut work: impl FnMut() -> T) -> f64 {
    let times = (0..TIMES).map(|_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    });
    millis(times.min().unwrap_or_default())
}

/// What the check of fields adds to the check of a program that looks something up.
fn fields(data: &Map) -> Result<f64, Box<dyn Error>> {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let session = Session::new(SessionOptions { data: data.clone(), ..SessionOptions::default() });
        let check = || -> Result<Duration, Box<dyn Error>> {
            let start = Instant::now();
            let found = session.check("(count (map :country data/rows))");
            found.map_err(|problems| ptc_lisp::problems_text(&problems))?;
            Ok(start.elapsed())
        };
        let first = check()?;
        times.push(first.saturating_sub(check()?));
    }
    Ok(millis(times.into_iter().min().unwrap_or_default()))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn row(at: usize) -> Vec<Value> {
    let cents = at * 37 % 9_973;
    let pick = |names: &[&str], at: usize| names.get(at % names.len()).map_or(Value::Nil, |name| Value::string(*name));
    vec![
        Value::Int(at as i64),
        Value::string(format!("customer {}", at * 7_919 % 5_003)),
        pick(&["Germany", "France", "Portugal", "Norway", "Brazil"], at),
        Value::string(format!("2024-03-{:02}", at % 28 + 1)),
        pick(&["shipped", "pending", "returned", "cancelled"], at / 3),
        Value::Int((at % 9 + 1) as i64),
        Value::Float(cents as f64 / 100.0),
        if at.is_multiple_of(11) { Value::Nil } else { Value::Float((cents * (at % 9 + 1)) as f64 / 100.0) },
        Value::Bool(at.is_multiple_of(4)),
        Value::string(format!("note {at} on what was ordered and when it is to be sent")),
    ]
}

fn rows(count: usize) -> Value {
    let mut import = Import::uncounted();
    let keys = import.row_keys(FIELDS);
    Value::vector((0..count).map(|at| import.row(&keys, row(at))).collect())
}

fn maps(count: usize) -> Value {
    Value::vector((0..count).map(|at| Value::map_from(FIELDS.map(Value::keyword).into_iter().zip(row(at)))).collect())
}

fn lines(count: usize) -> Value {
    let line = |at: usize| {
        Value::string(format!(
            "2024-03-{:02}T10:{:02}:00Z INFO request {at} from 10.0.0.{} took {} ms",
            at % 28 + 1,
            at % 60,
            at % 251,
            at * 37 % 977
        ))
    };
    Value::vector((0..count).map(line).collect())
}
