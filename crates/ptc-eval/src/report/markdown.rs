//! Reports as Markdown.

use std::fmt::Write;

use ptc_lisp::text::{escaped_lines, one_line};

use super::figures::{METHOD, PAIRS, columns, pairs};
use super::{CaseReport, ProgramReport, Report, RunReport, SkipReason, Summary, pooled};
use crate::constraint::quoted;

/// How detailed a Markdown report is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// Figures, results, and failures with their programs.
    #[default]
    Short,
    /// All programs as well.
    Whole,
}

impl Report {
    /// The report as a page of Markdown.
    #[must_use]
    pub fn to_markdown(&self, detail: Detail) -> String {
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut page, detail);
        escaped_lines(&page).into_owned()
    }

    fn write(&self, page: &mut String, detail: Detail) -> std::fmt::Result {
        writeln!(page, "# {}\n\n{}\n", self.title, self.header())?;
        self.write_summary(page)?;
        if self.figures.is_some() {
            write_figures(page, std::slice::from_ref(self))?;
        }
        self.write_results(page)?;
        let failed = || {
            self.cases.iter().flat_map(|case| case.runs.iter().filter(|run| !run.passed).map(move |run| (case, run)))
        };
        if failed().next().is_some() {
            writeln!(page, "\n## Failures")?;
            failed().try_for_each(|(case, run)| self.write_failure(page, case, run))?;
        }
        self.write_unasked(page)?;
        if detail == Detail::Whole {
            writeln!(page, "\n## All programs")?;
            for case in &self.cases {
                case.runs.iter().try_for_each(|run| {
                    writeln!(page, "\n### {}\n\n{}", self.run_title(case, run), quote(case))?;
                    write_programs(page, &run.programs)
                })?;
            }
        }
        Ok(())
    }

    /// One line: what was run on what.
    fn header(&self) -> String {
        let commit = self.commit.as_ref().map(|commit| format!(" ({commit})")).unwrap_or_default();
        let mut facts =
            vec![self.model.clone(), format!("ptc {}{commit}", self.version), format!("data of seed {}", self.seed)];
        facts.extend(self.mission.as_ref().map(|name| format!("mission {name}")));
        facts.extend(self.mode.map(|variant| format!("asked as {}", variant.as_str())));
        facts.extend(self.compression.as_ref().map(|name| format!("compression {name}")));
        facts.extend(self.language_spec.as_ref().map(|key| format!("language text {key}")));
        if self.runs > 1 {
            facts.push(format!("{} runs of each case", self.runs));
        }
        facts.join(" · ")
    }

    fn write_summary(&self, page: &mut String) -> std::fmt::Result {
        let (names, figures): (Vec<&str>, Vec<String>) = figures(&self.summary).into_iter().unzip();
        writeln!(page, "| {} |\n|{}\n| {} |", names.join(" | "), "---:|".repeat(names.len()), figures.join(" | "))
    }

    fn write_results(&self, page: &mut String) -> std::fmt::Result {
        writeln!(
            page,
            "\n## Results\n\n| level | case | result | attempts | retries | answer |\n|---|---|---|---:|---:|---|"
        )?;
        for case in &self.cases {
            let sum = |count: fn(&RunReport) -> usize| case.runs.iter().map(count).sum::<usize>();
            let (attempts, retries) = (sum(|run| run.attempts), sum(|run| run.retries));
            let shown = case.runs.iter().find(|run| !run.passed).or(case.runs.first());
            let answer = shown.map(|run| cell(&quoted(&run.answer))).unwrap_or_default();
            writeln!(
                page,
                "| {} | {} | {} | {attempts} | {retries} | {answer} |",
                case.level,
                case.name,
                result(case)
            )?;
        }
        Ok(())
    }

    /// The runs that were not asked, by the reason.
    fn write_unasked(&self, page: &mut String) -> std::fmt::Result {
        if self.unasked.is_empty() {
            return Ok(());
        }
        writeln!(page, "\n## Not asked\n\nThese runs are in no figure.\n")?;
        let mut reasons: Vec<&SkipReason> = Vec::new();
        for unasked in &self.unasked {
            if !reasons.contains(&&unasked.why) {
                reasons.push(&unasked.why);
            }
        }
        for why in reasons {
            let runs = self.unasked.iter().filter(|unasked| unasked.why == *why);
            let names: Vec<String> = runs.map(|unasked| self.name_of(&unasked.case, unasked.run)).collect();
            writeln!(page, "* {}: {}", prose(&one_line(&why.to_string())), names.join("; "))?;
        }
        Ok(())
    }

    fn write_failure(&self, page: &mut String, case: &CaseReport, run: &RunReport) -> std::fmt::Result {
        writeln!(page, "\n### {}\n\n{}\n", self.run_title(case, run), quote(case))?;
        run.problems.iter().try_for_each(|problem| writeln!(page, "* {}", prose(&one_line(problem))))?;
        write_programs(page, &run.programs)
    }

    /// The name of the case, with the number of the run if there are several.
    fn run_title(&self, case: &CaseReport, run: &RunReport) -> String {
        self.name_of(&case.name, run.run)
    }

    fn name_of(&self, case: &str, run: usize) -> String {
        if self.runs > 1 { format!("{case}, run {run}") } else { case.to_owned() }
    }
}

/// Several evaluations of the same cases side by side, as a table of Markdown: a row for each way of asking.
#[must_use]
pub fn comparison(reports: &[Report]) -> String {
    let names: Vec<&str> =
        reports.first().map(|report| figures(&report.summary)).into_iter().flatten().map(|(name, _)| name).collect();
    let mut page = format!("| way | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for report in reports {
        let figures: Vec<String> = figures(&report.summary).into_iter().map(|(_, figure)| figure).collect();
        page.push_str(&format!("| {} | {} |\n", report.way, figures.join(" | ")));
    }
    write_verdicts(&mut page, reports);
    for (part, pooled) in pooled::of(reports) {
        page.push_str(&format!("\nEach {part} over all ways that have it:\n"));
        write_verdicts(&mut page, &pooled);
    }
    // Writing to a string cannot fail.
    let _ = write_figures(&mut page, reports);
    let _ = write_pairs(&mut page, reports);
    page
}

/// What the later ways do better or worse than the first one.
fn write_verdicts(page: &mut String, reports: &[Report]) {
    let Some((first, later)) = reports.split_first() else { return };
    for verdict in later.iter().filter_map(|report| report.verdict(first)) {
        page.push_str(&format!("\n* {verdict}"));
    }
    page.push('\n');
}

/// Each way against each other one.
fn write_pairs(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let rows = pairs(reports);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| {} |\n|---|---|{}", PAIRS.join(" | "), "---:|".repeat(PAIRS.len() - 2))?;
    rows.iter().try_for_each(|row| writeln!(page, "| {} |", row.join(" | ")))
}

/// Rates and means with their intervals: a row for each report.
fn write_figures(page: &mut String, reports: &[Report]) -> std::fmt::Result {
    let (names, rows) = columns(reports);
    writeln!(page, "\n| way | {} |\n|---|{}", names.join(" | "), "---:|".repeat(names.len()))?;
    for (report, row) in reports.iter().zip(rows) {
        writeln!(page, "| {} | {} |", report.way, row.join(" | "))?;
    }
    writeln!(page, "\n{METHOD}")
}

/// The columns of a table of sums.
fn figures(sums: &Summary) -> Vec<(&'static str, String)> {
    let mut columns = vec![
        ("passed", sums.passed.to_string()),
        ("failed", sums.failed.to_string()),
        ("total", sums.total.to_string()),
        ("attempts", sums.attempts.to_string()),
        ("retries", sums.retries.to_string()),
        ("seconds", format!("{:.1}", sums.duration_ms as f64 / 1000.0)),
        ("requests", sums.requests.to_string()),
        ("input tokens", sums.input_tokens.to_string()),
        ("cached", sums.cached_tokens.to_string()),
        ("output tokens", sums.output_tokens.to_string()),
    ];
    columns.extend(sums.cost.map(|cost| ("cost", format!("{cost:.4}"))));
    columns
}

/// The results of the runs of a case, with the numbers of those that failed.
fn result(case: &CaseReport) -> String {
    let failed: Vec<String> = case.runs.iter().filter(|run| !run.passed).map(|run| run.run.to_string()).collect();
    let all = case.runs.len();
    match (failed.len(), all) {
        (0, 1) => "passed".to_owned(),
        (_, 1) => "**failed**".to_owned(),
        (0, _) => format!("passed {all} of {all}"),
        (wrong, _) => format!("**passed {} of {all}**, not {}", all - wrong, failed.join(", ")),
    }
}

fn write_programs(page: &mut String, programs: &[ProgramReport]) -> std::fmt::Result {
    for program in programs {
        let fence = fence(&program.source);
        let verb = if program.success { "gave" } else { "failed:" };
        write!(page, "\nTurn {} {verb} {}\n\n", program.turn, inline(&program.result))?;
        writeln!(page, "{fence}clojure\n{}\n{fence}", program.source.trim_end())?;
    }
    Ok(())
}

/// A fence that is longer than any run of backticks in the text.
fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

/// The text as inline code on one line.
fn inline(text: &str) -> String {
    let text = one_line(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Inline code in a cell of a table.
fn cell(text: &str) -> String {
    inline(text).replace('|', "\\|")
}

/// A text that is shown literally, whatever it would mean in Markdown: no tag, no link, no picture.
fn prose(text: &str) -> String {
    text.chars().flat_map(|c| matches!(c, '\\' | '<' | '[').then_some('\\').into_iter().chain([c])).collect()
}

/// What the user said.
fn quote(case: &CaseReport) -> String {
    let texts: Vec<String> =
        std::iter::once(&case.question).chain(&case.then).map(|text| prose(text).trim().to_owned()).collect();
    texts.join("\n\n").lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
