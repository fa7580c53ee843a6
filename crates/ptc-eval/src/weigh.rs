//! Whether programs pay on a mission: its runs by programs and by native calls, and why one of them is cheaper.

#[cfg(test)]
mod tests;

use ptc_chat::Request;
use ptc_compression::words::grouped;
use ptc_compression::{Estimate as Characters, TokenCounter};
use ptc_mission::LanguageSpec;
use serde::Serialize;
use serde_json::json;

use crate::case::Case;
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::report::{Difference, Report, RunReport, times};
use crate::statistics::{Estimate, Interval};
use crate::suite::Suite;
use crate::variant::{Mode, Variant};

/// A mission done by programs and by native calls of its tools.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Weighing {
    /// The questions that were asked.
    pub asked: usize,
    /// All questions.
    pub of: usize,
    /// Tools that the model has.
    pub tools: usize,
    /// Tokens of the first request, about.
    pub beginnings: Beginnings,
    /// Tokens of the results of tools, about: means of a run.
    pub results: Ways,
    /// Requests: means of a run.
    pub requests: Ways,
    /// What was found, with the setting that would change it.
    pub verdict: Vec<String>,
    /// What all questions would cost in both ways in USD, by those that were asked, where prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd_of_all: Option<f64>,
    /// The runs by programs, then those by native calls.
    pub reports: Vec<Report>,
}

/// A figure of both ways.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ways {
    /// By programs.
    pub programs: f64,
    /// By native calls.
    pub native: f64,
}

/// Tokens of the first request, by a quarter of its characters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Beginnings {
    /// For programs.
    pub programs: usize,
    /// For native calls: with the definitions of tools, and with the data.
    pub native: usize,
    /// For programs with the shortest language text, and its key.
    pub shortest: (String, usize),
}

impl Suite {
    /// Ask cases by programs and by native calls, whose first message has the data; `of` is how many questions there are.
    ///
    /// Errors as [`Suite::compare`] does.
    pub async fn weigh(&self, cases: &[&Case], options: &EvalOptions, of: usize) -> Result<Weighing, EvalError> {
        let programs = Variant { mode: Some(Mode::Programs), ..Variant::default() };
        let native = Variant { mode: Some(Mode::NativeTools), shows_data: true, ..Variant::default() };
        let first = cases.first().ok_or(EvalError::NothingChosen)?;
        let begin = async |variant: &Variant| {
            let request = self.preview(first, &EvalOptions { variant: variant.clone(), ..options.clone() }).await?;
            Ok::<Request, EvalError>(request)
        };
        let by_calls = begin(&native).await?;
        let mut lengths = vec![(String::new(), tokens(&begin(&programs).await?))];
        for key in LanguageSpec::list().into_iter().filter(|key| LanguageSpec::is_size(key)) {
            let variant = Variant { language_spec: Some(key.to_owned()), ..programs.clone() };
            lengths.push((key.to_owned(), tokens(&begin(&variant).await?)));
        }
        let shortest = lengths.iter().min_by_key(|(_, length)| *length).cloned().unwrap_or_default();
        let beginnings = Beginnings {
            programs: lengths.first().map(|(_, length)| *length).unwrap_or_default(),
            native: tokens(&by_calls),
            shortest,
        };
        let reports = self.compare(cases, options, &[programs, native]).await?;
        Ok(Weighing::new(reports, beginnings, by_calls.tools.len(), of))
    }
}

/// The tokens of a request, by a quarter of its characters.
fn tokens(request: &Request) -> usize {
    let texts = request.messages.iter().map(|message| Characters.count(&message.content())).sum::<usize>();
    let tools: usize = request
        .tools
        .iter()
        .map(|tool| Characters.count(&json!([tool.name, tool.description, tool.parameters]).to_string()))
        .sum();
    texts + tools + Characters.count(&request.system)
}

impl Weighing {
    fn new(reports: Vec<Report>, beginnings: Beginnings, tools: usize, of: usize) -> Weighing {
        let asked = reports.iter().map(|report| report.cases.len()).max().unwrap_or_default();
        let mean = |count: fn(&RunReport) -> f64| {
            let of = |report: Option<&Report>| {
                let runs = || report.into_iter().flat_map(|report| &report.cases).flat_map(|case| &case.runs);
                runs().map(count).sum::<f64>() / runs().count().max(1) as f64
            };
            Ways { programs: of(reports.first()), native: of(reports.get(1)) }
        };
        let cost: Option<f64> = reports.iter().map(|report| report.summary.cost).sum();
        let usd_of_all = cost.filter(|_| asked > 0).map(|cost| cost / asked as f64 * of as f64);
        let (results, requests) = (mean(|run| run.result_tokens as f64), mean(|run| run.requests as f64));
        let mut weighing =
            Weighing { asked, of, tools, beginnings, results, requests, verdict: Vec::new(), usd_of_all, reports };
        weighing.verdict = weighing.found().map(|found| vec![found, weighing.why()]).unwrap_or_default();
        weighing
    }

    /// How native calls differ from programs.
    fn difference(&self) -> Option<&Difference> {
        self.reports.get(1)?.differences.first()
    }

    /// How many times as much programs cost, and in what; with its interval.
    fn programs_cost(&self) -> Option<(f64, Option<Interval>, &'static str)> {
        let difference = self.difference()?;
        let (native, of) = match (difference.cost, difference.tokens) {
            (Some(cost), _) if cost.value > 0.0 => (cost, "cost"),
            (_, Some(tokens)) if tokens.value > 0.0 => (tokens, "use"),
            _ => return None,
        };
        let turned = |interval: Interval| Interval { low: 1.0 / interval.high, high: 1.0 / interval.low };
        Some((1.0 / native.value, native.interval.filter(|interval| interval.low > 0.0).map(turned), of))
    }

    /// Whether programs cost less, and whether they are right as often.
    fn found(&self) -> Option<String> {
        let (programs, native) = (self.reports.first()?, self.reports.get(1)?);
        let difference = self.difference()?;
        let cost = match self.programs_cost() {
            None => "What the runs cost is not known".to_owned(),
            Some((value, interval, of)) => {
                let what = if of == "cost" { "as much as native calls" } else { "as many tokens as native calls" };
                let word = match interval {
                    Some(interval) if interval.high < 1.0 => "cheaper: they",
                    Some(interval) if interval.low > 1.0 => "more expensive: they",
                    _ => "not shown to be cheaper or more expensive: they",
                };
                format!("Programs are {word} {of} {} times {what}", times(value, interval))
            }
        };
        let judged = programs.is_judged;
        let right = if judged {
            format!(
                "they passed {} of {} runs where native calls passed {} of {} ({})",
                programs.summary.passed,
                programs.summary.total,
                native.summary.passed,
                native.summary.total,
                self.quality(difference)
            )
        } else {
            let (same, all) = self.agreement();
            format!("without right answers to judge by, both ways answered the same in {same} of {all} questions")
        };
        let questions = if self.asked == 1 { "1 question".to_owned() } else { format!("{} questions", self.asked) };
        Some(format!("{cost}, and {right}; {questions}."))
    }

    /// The difference of programs to native calls.
    fn quality(&self, of_native: &Difference) -> String {
        let turned = Difference {
            pass_rate: Estimate {
                value: 0.0 - of_native.pass_rate.value,
                interval: of_native
                    .pass_rate
                    .interval
                    .map(|interval| Interval { low: 0.0 - interval.high, high: 0.0 - interval.low }),
            },
            better: of_native.worse,
            worse: of_native.better,
            ..of_native.clone()
        };
        turned.quality()
    }

    /// In how many questions the first run of both ways gave the same answer, of those that both answered.
    fn agreement(&self) -> (usize, usize) {
        let [programs, native] = self.reports.as_slice() else { return (0, 0) };
        let pairs = programs.cases.iter().filter_map(|case| {
            let other = native.cases.iter().find(|other| other.name == case.name)?;
            Some((case.runs.first()?, other.runs.first()?))
        });
        let pairs: Vec<_> = pairs.filter(|(one, other)| one.passed && other.passed).collect();
        (pairs.iter().filter(|(one, other)| one.answer == other.answer).count(), pairs.len())
    }

    /// Why, and the setting that would change it.
    fn why(&self) -> String {
        let Beginnings { programs, native, shortest } = &self.beginnings;
        let number = |figure: f64| grouped(figure.round() as u64);
        let (results, requests) = (self.results, self.requests);
        let beginnings = format!(
            "a first request has about {} tokens, and {} with native calls and the definitions of {}",
            grouped(*programs),
            grouped(*native),
            if self.tools == 1 { "1 tool".to_owned() } else { format!("{} tools", grouped(self.tools)) }
        );
        let facts = format!(
            "results of tools have about {} tokens a run, which native calls read again in each later request, and a run takes {:.1} requests instead of {:.1}",
            number(results.native),
            requests.programs,
            requests.native
        );
        let costs_more = self.programs_cost().is_some_and(|(value, ..)| value > 1.0);
        let by_calls = costs_more.then(|| "`output = \"text\"` in the mission asks it by native calls".to_owned());
        let (key, length) = shortest;
        let saved = programs.saturating_sub(*length);
        let shorter = (saved > 0).then(|| {
            format!("`--language-spec {key}` would save programs about {} tokens of each request", grouped(saved))
        });
        let settings: Vec<String> = by_calls.into_iter().chain(shorter).collect();
        let setting =
            if settings.is_empty() { "no shorter language text is known".to_owned() } else { settings.join(", and ") };
        format!("The reasons: {beginnings}; {facts}; {setting}.")
    }
}
