//! What a batch has come to, for people.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ptc_runner::compression::words::grouped;
use ptc_runner::eval::{BatchReport, BatchStop, RowState};
use ptc_runner::trace::replay::PriceBook;

use crate::output::counted;
use crate::output::words::shell;

/// What the report does not say of its batch.
pub(super) struct About<'a> {
    /// The rows of its file.
    pub(super) all: usize,
    /// Its results.
    pub(super) path: &'a Path,
    /// The tables that were written.
    pub(super) tables: Vec<&'a PathBuf>,
    pub(super) model: &'a str,
    pub(super) prices: &'a PriceBook,
}

/// Write the report of a batch.
pub(super) fn write(report: &BatchReport, batch: &About<'_>, out: &mut dyn Write) -> io::Result<()> {
    let states: Vec<String> = report.states.iter().map(|(state, rows)| format!("{} {state}", grouped(*rows))).collect();
    let mut states = if states.is_empty() { "none begun".to_owned() } else { states.join(", ") };
    if report.unasked > 0 {
        states.push_str(&format!(", {} without a result", grouped(report.unasked)));
    }
    writeln!(out, "{}: {states}", rows(report.rows))?;
    writeln!(out, "{}", used(report, batch))?;
    quantiles(report, out)?;
    if report.rows < batch.all && report.stop.is_none() {
        whole(report, batch.all, out)?;
    }
    most_expensive(report, out)?;
    failures(report, batch.path, out)?;
    if let Some(stop) = &report.stop {
        let again = match stop {
            BatchStop::Budget(_) => "a higher --max-usd or --max-tokens continues",
            _ => "the same command continues",
        };
        writeln!(out, "stopped: {stop}; {again}")?;
    }
    let tables: String = batch.tables.iter().map(|table| format!(", {}", table.display())).collect();
    writeln!(out, "results: {}{tables}", batch.path.display())
}

/// `1 row`, `1,000 rows`
fn rows(count: usize) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{} rows", grouped(count)) }
}

/// Tokens and cost.
fn used(report: &BatchReport, batch: &About<'_>) -> String {
    let tokens = &report.tokens;
    if tokens.total() == 0 {
        return "no tokens were counted".to_owned();
    }
    let cached = if tokens.cached > 0 { format!(" ({} cached)", grouped(tokens.cached)) } else { String::new() };
    let cost = match (report.usd, batch.prices.price(batch.model)) {
        (Some(usd), _) => format!("USD {usd:.4}"),
        (None, Err(missing)) => missing.to_string(),
        (None, Ok(_)) => "no paid model was asked".to_owned(),
    };
    format!("{} tokens in{cached}, {} out, {cost}", grouped(tokens.input), grouped(tokens.output))
}

fn quantiles(report: &BatchReport, out: &mut dyn Write) -> io::Result<()> {
    if report.quantiles.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{:<10} {:>12} {:>12} {:>12} {:>12}", "each row", "half", "90 of 100", "99 of 100", "most")?;
    for (name, figures) in &report.quantiles {
        let shown = |figure: f64| match *name {
            "usd" => format!("{figure:.4}"),
            "seconds" => format!("{figure:.1}"),
            _ => grouped(figure as u64),
        };
        let [p50, p90, p99, max] = [figures.p50, figures.p90, figures.p99, figures.max].map(shown);
        writeln!(out, "{name:<10} {p50:>12} {p90:>12} {p99:>12} {max:>12}")?;
    }
    Ok(())
}

/// What all rows would cost, by those of a sample.
fn whole(report: &BatchReport, all: usize, out: &mut dyn Write) -> io::Result<()> {
    let times = all as f64 / report.rows.max(1) as f64;
    let tokens = grouped((report.tokens.total() as f64 * times) as u64);
    let usd = report.usd.map(|usd| format!(" and USD {:.2}", usd * times)).unwrap_or_default();
    writeln!(out, "\nall {} rows would take about {tokens} tokens{usd}, if they are like these", grouped(all))
}

fn most_expensive(report: &BatchReport, out: &mut dyn Write) -> io::Result<()> {
    // Few rows are all in the results, and rows that are alike need no order.
    let are_alike = report.quantiles.get("tokens").is_none_or(|tokens| tokens.p50 >= tokens.max);
    if report.rows <= report.most_expensive.len() || are_alike {
        return Ok(());
    }
    writeln!(out, "\nthe most expensive rows")?;
    for costly in &report.most_expensive {
        let usd = costly.usd.map(|usd| format!(", USD {usd:.4}")).unwrap_or_default();
        let tried = if costly.attempts > 1 { format!(" in attempt {}", costly.attempts) } else { String::new() };
        let run = costly.run.as_ref().map(|run| format!("  {run}")).unwrap_or_default();
        writeln!(
            out,
            "  row {}: {}{tried}, {} tokens{usd}{run}",
            costly.row,
            counted(costly.turns, "turn"),
            grouped(costly.tokens)
        )?;
    }
    Ok(())
}

fn failures(report: &BatchReport, path: &Path, out: &mut dyn Write) -> io::Result<()> {
    if report.failures.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nwithout an answer")?;
    for group in &report.failures {
        let rows = if group.rows == 1 {
            format!("row {}", group.first)
        } else {
            format!("{} rows, the first is {}", grouped(group.rows), group.first)
        };
        writeln!(out, "  {rows}: {}: {}: {}", group.state.as_str(), group.reason, group.message)?;
        if let Some(run) = &group.run {
            writeln!(out, "    ptc show {}", shell(&path.with_file_name(run).display().to_string()))?;
        }
    }
    let mut again = [RowState::Failed, RowState::Limit, RowState::Unreachable].into_iter();
    let again: Vec<String> = again
        .by_ref()
        .filter(|state| report.count(*state) > 0)
        .map(|state| format!("--retry {}", state.as_str()))
        .collect();
    if !again.is_empty() {
        writeln!(out, "  the same command with {} asks them again", again.join(" or "))?;
    }
    Ok(())
}
