//! Reports as a page for browsers: one file without scripts.

use std::fmt::Write;

use ptc_trace::markup_text;
use ptc_trace::viewer::still_page;

use super::figures::{METHOD, PAIRS, columns, pairs};
use super::{CaseReport, Report, RunReport, picture, pooled};
use crate::constraint::quoted;

const STYLE: &str = include_str!("page.css");

/// The reports of an evaluation, one for each way of asking, as a page for browsers: one file that loads nothing. It begins
/// with the sentences of a verdict, if there is one.
#[must_use]
pub fn html_page(reports: &[Report], verdict: &[String]) -> String {
    let title = reports.first().map(|report| report.title.as_str()).unwrap_or_default();
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, title, verdict, reports);
    still_page(title, STYLE, &page)
}

fn write(page: &mut String, title: &str, verdict: &[String], reports: &[Report]) -> std::fmt::Result {
    writeln!(page, "<main>\n<h1>{}</h1>", markup_text(title))?;
    if let Some(first) = reports.first() {
        writeln!(page, "<p class=\"facts\">{}</p>", markup_text(&facts(first, reports)))?;
    }
    verdict.iter().try_for_each(|sentence| writeln!(page, "<p>{}</p>", markup_text(sentence)))?;
    write_ways(page, reports)?;
    page.push_str(&picture::of(reports));
    write_cases(page, reports)?;
    write_failures(page, reports)?;
    write_unasked(page, reports)?;
    writeln!(page, "</main>")
}

/// What holds for all ways.
fn facts(report: &Report, reports: &[Report]) -> String {
    let commit = report.commit.as_ref().map(|commit| format!(" ({commit})")).unwrap_or_default();
    let mut models: Vec<&str> = Vec::new();
    let mut prices: Vec<&str> = Vec::new();
    for report in reports {
        models.extend(Some(report.model.as_str()).filter(|model| !models.contains(model)));
        let name = report.prices.as_ref().map(|prices| prices.name.as_str());
        prices.extend(name.filter(|name| !prices.contains(name)));
    }
    let mut facts =
        vec![models.join(", "), format!("ptc {}{commit}", report.version), format!("data of seed {}", report.seed)];
    facts.extend((!prices.is_empty()).then(|| format!("prices: {}", prices.join(", "))));
    facts.push(format!("runs of each case: {}", report.runs));
    facts.join(" · ")
}

fn write_ways(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let (names, rows) = columns(reports);
    let names: String = names.iter().map(|name| format!("<th>{name}</th>")).collect();
    writeln!(page, "<h2>Ways of asking</h2>\n<div class=\"wide\"><table>\n<tr><th>way</th><th>runs</th>{names}</tr>")?;
    for (report, row) in reports.iter().zip(rows) {
        let cells: String = row.iter().map(|cell| figure(cell)).collect();
        let variant = markup_text(&report.way);
        writeln!(page, "<tr><td>{variant}</td><td class=\"n\">{}</td>{cells}</tr>", report.summary.total)?;
    }
    writeln!(page, "</table></div>")?;
    write_pairs(page, reports)?;
    write_verdicts(page, reports)?;
    for (part, pooled) in pooled::of(reports) {
        writeln!(page, "<p>Each {part} over all ways that have it:</p>")?;
        write_verdicts(page, &pooled)?;
    }
    writeln!(page, "<p class=\"method\">{METHOD}</p>")
}

/// What the later ways do better or worse than the first one.
fn write_verdicts(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let Some((first, later)) = reports.split_first() else { return Ok(()) };
    let verdicts = later.iter().filter_map(|report| report.verdict(first));
    let verdicts: String = verdicts.map(|verdict| format!("<li>{}</li>", markup_text(&verdict))).collect();
    writeln!(page, "<ul>{verdicts}</ul>")
}

/// A figure, with its interval below it.
fn figure(cell: &str) -> String {
    match cell.split_once(" (") {
        Some((value, interval)) => {
            let interval = interval.replacen(')', "", 1);
            format!("<td class=\"n\">{}<br><small>{}</small></td>", markup_text(value), markup_text(&interval))
        }
        None => format!("<td class=\"n\">{}</td>", markup_text(cell)),
    }
}

/// Each way against each other one.
fn write_pairs(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let rows = pairs(reports);
    if rows.is_empty() {
        return Ok(());
    }
    let names: String = PAIRS.iter().map(|name| format!("<th>{name}</th>")).collect();
    writeln!(page, "<h2>Pairs of ways</h2>\n<div class=\"wide\"><table>\n<tr>{names}</tr>")?;
    for [way, against, figures @ ..] in rows {
        let figures: String = figures.iter().map(|cell| figure(cell)).collect();
        writeln!(page, "<tr><td>{}</td><td>{}</td>{figures}</tr>", markup_text(&way), markup_text(&against))?;
    }
    writeln!(page, "</table></div>")
}

/// A row for each case, a column for each way.
fn write_cases(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let variants: String = reports.iter().map(|report| format!("<th>{}</th>", markup_text(&report.way))).collect();
    writeln!(page, "<h2>Cases</h2>\n<div class=\"wide\"><table>\n<tr><th>level</th><th>case</th>{variants}</tr>")?;
    for case in cases(reports) {
        let found = reports.iter().map(|report| report.cases.iter().find(|known| known.name == case.name));
        let cells: String = found.map(cell).collect();
        let (level, name) = (markup_text(&case.level), markup_text(&case.name));
        writeln!(page, "<tr><td>{level}</td><td>{name}</td>{cells}</tr>")?;
    }
    writeln!(page, "</table></div>")
}

/// The cases of all reports, each once, in the order of the first report that has them.
fn cases(reports: &[Report]) -> Vec<&CaseReport> {
    let mut cases: Vec<&CaseReport> = Vec::new();
    for case in reports.iter().flat_map(|report| &report.cases) {
        if cases.iter().all(|known| known.name != case.name) {
            cases.push(case);
        }
    }
    cases
}

fn cell(case: Option<&CaseReport>) -> String {
    let Some(case) = case else { return "<td class=\"n\">–</td>".to_owned() };
    let passed = case.runs.iter().filter(|run| run.passed).count();
    let class = if case.passed { "good" } else { "bad" };
    format!("<td class=\"n {class}\">{passed} of {}</td>", case.runs.len())
}

fn write_failures(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    if reports.iter().all(|report| report.summary.failed == 0) {
        return Ok(());
    }
    writeln!(page, "<h2>Failures</h2>")?;
    for report in reports {
        for case in &report.cases {
            case.runs.iter().filter(|run| !run.passed).try_for_each(|run| write_failure(page, report, case, run))?;
        }
    }
    Ok(())
}

fn write_failure(page: &mut String, report: &Report, case: &CaseReport, run: &RunReport) -> std::fmt::Result {
    let title = format!("{}, run {}, {}", case.name, run.run, report.way);
    let problem = run.problems.first().map(String::as_str).unwrap_or_default();
    writeln!(page, "<details><summary>{}: {}</summary>", markup_text(&title), markup_text(problem))?;
    for text in std::iter::once(&case.question).chain(&case.then) {
        writeln!(page, "<pre>{}</pre>", markup_text(text))?;
    }
    let problems: String = run.problems.iter().map(|problem| format!("<li>{}</li>", markup_text(problem))).collect();
    writeln!(page, "<ul class=\"bad\">{problems}</ul>\n<p>Answer: {}</p>", markup_text(&quoted(&run.answer)))?;
    for program in &run.programs {
        let verb = if program.success { "gave" } else { "failed:" };
        writeln!(page, "<p>Turn {} {verb} {}</p>", program.turn, markup_text(&program.result))?;
        writeln!(page, "<pre>{}</pre>", markup_text(program.source.trim_end()))?;
    }
    writeln!(page, "</details>")
}

fn write_unasked(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    if reports.iter().all(|report| report.unasked.is_empty()) {
        return Ok(());
    }
    writeln!(page, "<h2>Not asked</h2>\n<p>These runs are in no figure.</p>\n<ul>")?;
    for report in reports {
        for unasked in &report.unasked {
            let name = format!("{}, run {}, {}: {}", unasked.case, unasked.run, report.way, unasked.why);
            writeln!(page, "<li>{}</li>", markup_text(&name))?;
        }
    }
    writeln!(page, "</ul>")
}
