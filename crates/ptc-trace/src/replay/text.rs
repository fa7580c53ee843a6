//! A comparison as a table.

use ptc_compression::words::grouped;
use ptc_lisp::text::{escaped, escaped_lines};

use super::comparison::{Below, Comparison, Cost, Measured};
use super::difference::Difference;

/// A label and a cell per rendition.
type Row = (String, Vec<String>);

pub(super) fn of(comparison: &Comparison) -> String {
    let rows = rows(comparison);
    let label_width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..comparison.renditions.len())
        .map(|column| {
            rows.iter().filter_map(|(_, cells)| cells.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = head(comparison);
    for (label, cells) in &rows {
        let cells: String = cells.iter().zip(&widths).map(|(cell, width)| format!("  {cell:>width$}")).collect();
        text.push_str(format!("{label:<label_width$}{cells}").trim_end());
        text.push('\n');
    }
    text.push_str(&differences(comparison));
    text.push_str(&ends(comparison));
    let assumed = comparison.renditions.iter().filter(|one| !one.assumptions.is_empty());
    text.extend(assumed.map(|one| format!("\n{} assumes: {}\n", one.name, one.assumptions.join("; "))));
    escaped_lines(&text).into_owned()
}

fn head(comparison: &Comparison) -> String {
    let system = match comparison.system_tokens {
        Some(tokens) => format!("the system text counts {} in each", grouped(tokens)),
        None => "without the system text, which the step does not hold".to_owned(),
    };
    let prices = comparison.prices.as_ref().map(|prices| {
        let [input, cached, write, output] = [prices.input, prices.cached, prices.write, prices.output];
        format!("Prices ({}): USD {input} input, {cached} cached, {write} written to the cache, {output} output per million\n", prices.name)
    });
    let Below { runs, unknown, .. } = comparison.below;
    let left_out = match unknown {
        0 => String::new(),
        unknown if unknown == runs => ", not counted: the step does not hold their requests".to_owned(),
        unknown => format!(", {} of them not counted: the step does not hold their requests", grouped(unknown)),
    };
    let counted = if unknown < runs { ": their requests as they were sent, at the same prices" } else { "" };
    let below = match runs {
        0 => String::new(),
        runs => format!("Called agents, {} run(s){counted}{left_out}\n", grouped(runs)),
    };
    format!("Tokens of each request: {}; {system}\n{}{below}\n", comparison.counter, prices.unwrap_or_default())
}

fn rows(comparison: &Comparison) -> Vec<Row> {
    let each = |cell: &dyn Fn(&Measured) -> String| comparison.renditions.iter().map(cell).collect::<Vec<_>>();
    let has_own = comparison.renditions.iter().any(|one| one.output.is_some());
    let mut rows =
        vec![(if has_own { "request" } else { "turn" }.to_owned(), each(&|one| escaped(&one.name).into_owned()))];
    let most = comparison.renditions.iter().map(|one| one.requests.len()).max().unwrap_or(0);
    for turn in 0..most.max(comparison.output.len()) {
        let tokens =
            |one: &Measured| one.requests.get(turn).map_or_else(|| "–".to_owned(), |size| grouped(size.tokens));
        rows.push((format!("{:>4}", turn + 1), each(&tokens)));
    }
    rows.push((String::new(), Vec::new()));
    if has_own {
        let beginning = |one: &Measured| one.requests.first().map_or_else(String::new, |size| grouped(size.system));
        rows.push(("requests".to_owned(), each(&|one| grouped(one.requests.len() as u64))));
        rows.push(("system text, native tools".to_owned(), each(&beginning)));
    }
    rows.push(("input".to_owned(), each(&|one| grouped(one.totals.input))));
    rows.push(("  as in the request before".to_owned(), each(&|one| grouped(one.totals.shared))));
    rows.push(("output".to_owned(), each(&|one| grouped(one.totals.output))));
    let below = &comparison.below;
    if below.runs > below.unknown {
        rows.push(("called agents, input".to_owned(), each(&|_| grouped(below.totals.input))));
        rows.push(("called agents, output".to_owned(), each(&|_| grouped(below.totals.output))));
    }
    if comparison.prices.is_some() {
        let usd = |one: &Measured, amount: fn(Cost) -> f64| {
            let cost = one.totals.cost.map(|cost| cost.with(below.totals.cost));
            cost.map(|cost| format!("{:.6}", amount(cost))).unwrap_or_default()
        };
        rows.push(("USD without cache".to_owned(), each(&|one| usd(one, |cost| cost.uncached))));
        rows.push(("USD with cache".to_owned(), each(&|one| usd(one, |cost| cost.cached))));
    }
    rows
}

fn differences(comparison: &Comparison) -> String {
    let Some((reference, others)) = comparison.renditions.split_first() else { return String::new() };
    let of = |other: &Measured| match &other.difference {
        // Its early end is reported below; other requests than those of the run differ anyway.
        None if other.over_ceiling.is_some() || other.output.is_some() => String::new(),
        None => format!("\n{}: no request differs from {}\n", other.name, reference.name),
        Some(Difference { turn, message, byte, reference: before, found }) => {
            let said = |text: &Option<String>| text.clone().unwrap_or_else(|| "(no such message)".to_owned());
            let (one, two) = (said(before), said(found));
            let place = format!("turn {turn}, message {message}, byte {byte}");
            format!("\n{}: first differs from {} in {place}\n  - {one}\n  + {two}\n", other.name, reference.name)
        }
    };
    others.iter().map(of).collect()
}

fn ends(comparison: &Comparison) -> String {
    let of = |one: &Measured| {
        let over = one.over_ceiling.as_ref()?;
        Some(format!(
            "\n{}: ends with context_limit: the request of turn {} has at least {over}\n",
            one.name,
            one.requests.len() + 1
        ))
    };
    comparison.renditions.iter().filter_map(of).collect()
}
