//! Whether a judge can be trusted: its agreement with labels, and whether the order of two answers changes its mind.

use std::fmt::Write;

use futures::StreamExt;
use ptc_agent::{CancellationToken, LlmRegistry};
use ptc_config::MissionFile;
use ptc_lisp::Map;
use ptc_transcript::{ValueForm, json_of};
use serde::Serialize;
use serde_json::Value as Json;

use super::{Hearing, Judge, answer_text};
use crate::statistics::{Estimate, Passed, rate};
use crate::suite::Suite;

/// What a judge says about answers whose labels are known.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JudgeCheck {
    /// Its name.
    pub judge: String,
    /// Answers that it judged.
    pub judged: usize,
    /// How often it says what the label says, with Wilson's interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Estimate>,
    /// Cohen's kappa: the agreement above that of chance, 1 at most. None where judge or labels are always the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kappa: Option<f64>,
    /// Answers that it passed and the label refuses.
    pub passed_wrongly: usize,
    /// Answers that it refused and the label passes.
    pub refused_wrongly: usize,
    /// What it said of the same answers with the right answer in their place, if it hears both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swapped: Option<Swapped>,
    /// Answers without a verdict, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unheard: Vec<String>,
}

/// How the order of both answers changes verdicts. One that says whether they mean the same has no reason to change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Swapped {
    /// Answers that were judged both ways.
    pub judged: usize,
    /// Those that passed only as given.
    pub only_as_given: usize,
    /// Those that passed only with both answers swapped.
    pub only_swapped: usize,
}

/// An answer with its label.
struct Labelled {
    hearing: Hearing,
    is_right: bool,
}

impl Suite {
    /// Ask all judges of the suite about answers with labels: rows with `answer`, `label` (`pass` or `fail`, true or false)
    /// and, as far as judges hear them, `question` and `expected`. So many are asked at once.
    ///
    /// The error says which row cannot be used.
    pub async fn check_judges(
        &self,
        rows: &[Map],
        models: &LlmRegistry,
        jobs: usize,
        cancel: &CancellationToken,
    ) -> Result<Vec<JudgeCheck>, String> {
        let Some(judging) = self.judging.as_ref().filter(|judging| !judging.tools.is_empty()) else {
            return Err("this suite has no judge: write one under `[judging.tools.NAME]` of suite.toml".to_owned());
        };
        let labelled = |(place, row): (usize, &Map)| {
            Labelled::read(row).map_err(|problem| format!("row {}: {problem}", place + 1))
        };
        let labelled: Vec<Labelled> = rows.iter().enumerate().map(labelled).collect::<Result<_, _>>()?;
        let mut checks = Vec::new();
        for tool in &judging.tools {
            let judge = Judge::Tool(tool.spec.name.clone());
            let hears_both = hears_expected(&judge, judging);
            let ask = |hearing: Hearing| {
                let judge = judge.clone();
                async move {
                    let heard = judge.hear(judging, models, &hearing, cancel).await;
                    heard.map(|verdict| verdict.passed)
                }
            };
            let work = labelled.iter().map(|one| async move {
                let given = ask(one.hearing.clone()).await;
                let swapped = if hears_both { Some(ask(one.hearing.swapped()).await) } else { None };
                (one.is_right, given, swapped)
            });
            let heard: Vec<_> = futures::stream::iter(work).buffered(jobs.max(1)).collect().await;
            checks.push(JudgeCheck::of(&tool.spec.name, heard, hears_both));
        }
        Ok(checks)
    }
}

/// Whether a judge is told the right answer.
pub(crate) fn hears_expected(judge: &Judge, judging: &MissionFile) -> bool {
    let Judge::Tool(name) = judge else { return false };
    let tool = judging.tools.iter().find(|tool| tool.spec.name == *name);
    let signature = tool.and_then(|tool| tool.spec.signature.as_ref());
    signature.is_some_and(|signature| signature.params().iter().any(|field| field.name == "expected"))
}

impl Labelled {
    fn read(row: &Map) -> Result<Labelled, String> {
        let cell = |name: &str| row.get_named(name).map(|value| json_of(value, ValueForm::Plain));
        let text = |name: &str| cell(name).filter(|cell| !cell.is_null()).map(|cell| answer_text(&cell));
        let answer = text("answer").ok_or("`answer` is missing or empty: give what the judge is asked about")?;
        let label = cell("label").unwrap_or_default();
        let is_right = match &label {
            Json::Bool(is_right) => *is_right,
            Json::String(word) if word == "pass" => true,
            Json::String(word) if word == "fail" => false,
            _ => return Err(format!("`label` must be pass or fail, got {label}")),
        };
        let (question, expected) = (text("question").unwrap_or_default(), text("expected").unwrap_or_default());
        Ok(Labelled { hearing: Hearing { question, answer, expected }, is_right })
    }
}

type Heard = (bool, Result<bool, String>, Option<Result<bool, String>>);

impl JudgeCheck {
    fn of(judge: &str, heard: Vec<Heard>, hears_both: bool) -> JudgeCheck {
        let mut check = JudgeCheck {
            judge: judge.to_owned(),
            judged: 0,
            agreement: None,
            kappa: None,
            passed_wrongly: 0,
            refused_wrongly: 0,
            swapped: hears_both.then(Swapped::default),
            unheard: Vec::new(),
        };
        let mut verdicts: Vec<(bool, bool)> = Vec::new();
        for (is_right, given, swapped) in heard {
            let given = match given {
                Ok(given) => given,
                Err(problem) => {
                    check.unheard.push(problem);
                    continue;
                }
            };
            verdicts.push((given, is_right));
            match (swapped, &mut check.swapped) {
                (Some(Ok(swapped)), Some(found)) => {
                    found.judged += 1;
                    found.only_as_given += usize::from(given && !swapped);
                    found.only_swapped += usize::from(swapped && !given);
                }
                (Some(Err(problem)), _) => check.unheard.push(format!("swapped: {problem}")),
                _ => {}
            }
        }
        let count = |judged: bool, label: bool| verdicts.iter().filter(|pair| **pair == (judged, label)).count();
        (check.judged, check.passed_wrongly, check.refused_wrongly) =
            (verdicts.len(), count(true, false), count(false, true));
        let agreed = |(judged, label): &(bool, bool)| Passed { passed: usize::from(judged == label), runs: 1 };
        check.agreement = rate(&verdicts.iter().map(agreed).collect::<Vec<_>>());
        check.kappa = kappa([[count(true, true), count(true, false)], [count(false, true), count(false, false)]]);
        check
    }
}

/// Cohen's kappa of a table of verdicts by labels.
fn kappa([[a, b], [c, d]]: [[usize; 2]; 2]) -> Option<f64> {
    let all = (a + b + c + d) as f64;
    let by_chance = ((a + b) as f64 * (a + c) as f64 + (c + d) as f64 * (b + d) as f64) / all.powi(2);
    let kappa = ((a + d) as f64 / all - by_chance) / (1.0 - by_chance);
    kappa.is_finite().then_some(kappa)
}

/// The checks as a page of Markdown.
#[must_use]
pub fn judges_table(checks: &[JudgeCheck]) -> String {
    let mut page = String::from(
        "| judge | answers | agrees with labels | kappa | passed wrongly | refused wrongly | swapped: changed its mind | passed only as given : only swapped |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let missing = || "–".to_owned();
    for check in checks {
        let agreement = check.agreement.map_or_else(missing, |agreement| {
            let interval = agreement.interval.map(|interval| format!(" ({:.2} to {:.2})", interval.low, interval.high));
            format!("{:.2}{}", agreement.value, interval.unwrap_or_default())
        });
        let kappa = check.kappa.map_or_else(missing, |kappa| format!("{kappa:.2}"));
        let (changed, sides) = check.swapped.map_or_else(
            || (missing(), missing()),
            |found| {
                let changed = format!("{} of {}", found.only_as_given + found.only_swapped, found.judged);
                (changed, format!("{} : {}", found.only_as_given, found.only_swapped))
            },
        );
        // Writing to a string cannot fail.
        let _ = writeln!(
            page,
            "| {} | {} | {agreement} | {kappa} | {} | {} | {changed} | {sides} |",
            check.judge, check.judged, check.passed_wrongly, check.refused_wrongly
        );
    }
    for check in checks {
        for problem in &check.unheard {
            let _ = writeln!(page, "\n* {}: {}", check.judge, ptc_lisp::text::one_line(problem));
        }
    }
    page
}
