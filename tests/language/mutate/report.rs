//! What was measured: a table by operator, the list of misses, and the thresholds.

use super::judge::Verdict;
use super::operator::{MISSPELLING, Mutant, OPERATORS};

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

/// Percent; of nothing, all.
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

    /// How many mutants of an operator, or of all of them, have a verdict like this.
    fn count(&self, operator: Option<&str>, is_like: fn(&Verdict) -> bool) -> usize {
        let wanted = |finding: &&Finding| operator.is_none_or(|operator| operator == finding.operator);
        self.findings.iter().filter(wanted).filter(|finding| is_like(&finding.verdict)).count()
    }

    /// The share of messages that name the line of the mistake.
    fn lines(&self, operator: Option<&str>) -> f64 {
        let named = self.count(operator, |verdict| matches!(verdict, Verdict::Told { names_line: true, .. }));
        share(named, self.count(operator, |verdict| matches!(verdict, Verdict::Told { .. })))
    }

    /// The share of hints that give the right name; `None` without hints.
    fn hints(&self, operator: Option<&str>) -> Option<f64> {
        let all = self.count(operator, |verdict| matches!(verdict, Verdict::Told { hint: Some(_), .. }));
        let right = self.count(operator, |verdict| matches!(verdict, Verdict::Told { hint: Some(true), .. }));
        (all > 0).then(|| share(right, all))
    }

    pub fn table(&self) -> String {
        let mut text = format!(
            "{} programs\n{:<24}{:>8}{:>8}{:>8}{:>12}{:>12}{:>8}\n",
            self.programs, "operator", "mutants", "same", "told", "names line", "right name", "silent"
        );
        for operator in OPERATORS.iter().map(|operator| Some(operator.name)).chain([None]) {
            let (name, mutants) = (operator.unwrap_or("all"), self.count(operator, |_| true));
            let same = self.count(operator, |verdict| matches!(verdict, Verdict::Same));
            let told = self.count(operator, |verdict| matches!(verdict, Verdict::Told { .. }));
            let silent = self.count(operator, |verdict| matches!(verdict, Verdict::Silent(_)));
            let lines = format!("{:.1}%", self.lines(operator));
            let hints = self.hints(operator).map_or_else(|| "-".to_owned(), |hints| format!("{hints:.1}%"));
            text += &format!("{name:<24}{mutants:>8}{same:>8}{told:>8}{lines:>12}{hints:>12}{silent:>8}\n");
        }
        if !self.skipped.is_empty() {
            let skipped = self.skipped.join(", ");
            text += &format!("left out, since they end in an error themselves: {skipped}\n");
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
            text += &format!("\n── {kind}: {operator} in {program}, line {}{meant}\n", lines.join(" or "));
            for (number, line) in mutant.source.lines().enumerate() {
                text += &format!("{:>4}  {line}\n", number + 1);
            }
            text += &format!("    > {}\n", said.replace('\n', "\n    > "));
        }
        text
    }

    /// The missed thresholds.
    pub fn problems(&self) -> Vec<String> {
        let (lines, hints) = (self.lines(None), self.hints(Some(MISSPELLING)).unwrap_or(100.0));
        let mut texts = Vec::new();
        if self.programs < MIN_PROGRAMS {
            texts.push(format!("{} programs are mutated, at least {MIN_PROGRAMS} must be", self.programs));
        }
        if lines < THRESHOLD {
            texts.push(format!("{lines:.1}% of the messages name the line of the mistake, at least {THRESHOLD}% must"));
        }
        if hints < THRESHOLD {
            texts.push(format!("{hints:.1}% of the misspelled names get the right one, at least {THRESHOLD}% must"));
        }
        texts
    }
}
