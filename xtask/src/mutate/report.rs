//! What was measured: a table by operator, the list of misses, and the thresholds.

use std::fmt::Write;

use super::judge::Verdict;
use super::operator::{MISSPELLING, Mutant, OPERATORS};
use crate::Problem;

/// Of 100 messages, how many must name the line, and of 100 misspelled names, how many hints the right one.
const THRESHOLD: f64 = 90.0;
/// Minimum number of mutated programs.
const MIN_PROGRAMS: usize = 150;

/// One mutant with its verdict.
pub(super) struct Finding {
    pub operator: &'static str,
    pub program: String,
    pub mutant: Mutant,
    pub verdict: Verdict,
}

/// Everything found.
#[derive(Default)]
pub(super) struct Report {
    pub programs: usize,
    findings: Vec<Finding>,
    /// Programs that do not succeed themselves.
    skipped: Vec<String>,
}

/// The counts of an operator, or of all.
#[derive(Default)]
struct Count {
    mutants: usize,
    same: usize,
    silent: usize,
    told: usize,
    named: usize,
    hints: usize,
    right: usize,
}

impl Count {
    fn of<'v>(verdicts: impl Iterator<Item = &'v Verdict>) -> Count {
        let mut count = Count::default();
        for verdict in verdicts {
            count.mutants += 1;
            match verdict {
                Verdict::Same => count.same += 1,
                Verdict::Silent(_) => count.silent += 1,
                Verdict::Told { names_line, hint, .. } => {
                    count.told += 1;
                    count.named += usize::from(*names_line);
                    count.hints += usize::from(hint.is_some());
                    count.right += usize::from(*hint == Some(true));
                }
            }
        }
        count
    }

    fn lines(&self) -> f64 {
        share(self.named, self.told)
    }

    fn hints(&self) -> f64 {
        share(self.right, self.hints)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

impl Report {
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    pub fn skip(&mut self, program: &str) {
        self.skipped.push(program.to_owned());
    }

    /// The counts of an operator, or of all of them.
    fn count(&self, operator: Option<&str>) -> Count {
        let wanted = |finding: &&Finding| operator.is_none_or(|operator| operator == finding.operator);
        Count::of(self.findings.iter().filter(wanted).map(|finding| &finding.verdict))
    }

    pub fn table(&self) -> String {
        let mut text = format!(
            "{} programs\n{:<24}{:>8}{:>8}{:>8}{:>12}{:>12}{:>8}\n",
            self.programs, "operator", "mutants", "same", "told", "names line", "right name", "silent"
        );
        for operator in OPERATORS.iter().map(|operator| Some(operator.name)).chain([None]) {
            let (name, count) = (operator.unwrap_or("all"), self.count(operator));
            let hints = if count.hints == 0 { "-".to_owned() } else { format!("{:.1}%", count.hints()) };
            let lines = format!("{:.1}%", count.lines());
            let _ = writeln!(
                text,
                "{name:<24}{:>8}{:>8}{:>8}{lines:>12}{hints:>12}{:>8}",
                count.mutants, count.same, count.told, count.silent
            );
        }
        if !self.skipped.is_empty() {
            let _ = writeln!(text, "left out, since they end in an error themselves: {}", self.skipped.join(", "));
        }
        text
    }

    /// Every miss and every silent mutant with its text and message.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let (kind, said) = match &finding.verdict {
                Verdict::Told { names_line: false, text, .. } => ("line not named", text),
                Verdict::Told { hint: Some(false), text, .. } => ("wrong hint", text),
                Verdict::Silent(answer) => ("silent", answer),
                _ => continue,
            };
            let Finding { operator, program, mutant, .. } = finding;
            let lines: Vec<String> = mutant.lines.iter().map(ToString::to_string).collect();
            let meant = mutant.meant.as_ref().map(|meant| format!(", meant {meant}")).unwrap_or_default();
            let _ = writeln!(text, "\n── {kind}: {operator} in {program}, line {}{meant}", lines.join(" or "));
            for (number, line) in mutant.source.lines().enumerate() {
                let _ = writeln!(text, "{:>4}  {line}", number + 1);
            }
            let _ = writeln!(text, "    > {}", said.replace('\n', "\n    > "));
        }
        text
    }

    /// The missed thresholds; `is_whole` when no files were picked.
    pub fn problems(&self, is_whole: bool) -> Vec<Problem> {
        let lines = self.count(None).lines();
        let hints = self.count(Some(MISSPELLING)).hints();
        let mut texts = Vec::new();
        if is_whole && self.programs < MIN_PROGRAMS {
            texts.push(format!("{} programs are mutated, at least {MIN_PROGRAMS} must be", self.programs));
        }
        if lines < THRESHOLD {
            texts.push(format!("{lines:.1}% of the messages name the line of the mistake, at least {THRESHOLD}% must"));
        }
        if hints < THRESHOLD {
            texts.push(format!("{hints:.1}% of the misspelled names get the right one, at least {THRESHOLD}% must"));
        }
        texts.into_iter().map(|text| Problem::whole("mutate", text)).collect()
    }
}
