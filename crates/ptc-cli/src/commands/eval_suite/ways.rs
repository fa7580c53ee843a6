//! The ways of asking that the command line names.

use ptc_runner::config::StrategyChoice;
use ptc_runner::eval::{AskedAs, Way};

use super::args::{AskedAsArg, EvalSuiteArgs};
use crate::failure::Failure;

/// Every combination: programs with each strategy and each language text; native calls, which know neither, once.
pub(super) fn of(args: &EvalSuiteArgs) -> Result<Vec<Way>, Failure> {
    let strategies = args.compression.iter().map(|given| StrategyChoice::parse("--compression", given).map(Some));
    let strategies: Vec<Option<StrategyChoice>> = strategies.collect::<Result<_, _>>()?;
    let languages: Vec<Option<String>> =
        args.language_spec.iter().map(|key| (key != "auto").then(|| key.clone())).collect();
    let (strategies, languages) = (or_own(strategies), or_own(languages));
    let mut ways = Vec::new();
    for asked_as in or_own(args.asked_as.iter().map(|given| Some(AskedAs::from(*given))).collect()) {
        if asked_as == Some(AskedAs::Tools) {
            ways.push(Way { asked_as, ..Way::default() });
            continue;
        }
        for compression in &strategies {
            for language_spec in languages.clone() {
                ways.push(Way { asked_as, compression: compression.clone(), language_spec });
            }
        }
    }
    if args.record && ways.len() > 1 {
        let rule = "--record keeps the answers to one way of asking; name at most one --as, one --compression and one --language-spec";
        return Err(rule.into());
    }
    if !args.asked_as.is_empty() && ways.iter().all(|way| way.asked_as == Some(AskedAs::Tools)) {
        let given =
            [("--compression", !args.compression.is_empty()), ("--language-spec", !args.language_spec.is_empty())];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(format!("{option} is for programs; leave it out, or add --as programs").into());
        }
    }
    Ok(ways)
}

/// Whether there may be several ways.
pub(super) fn are_several(args: &EvalSuiteArgs) -> bool {
    args.asked_as.len() > 1 || args.compression.len() > 1 || args.language_spec.len() > 1
}

/// The given values, or the one that changes nothing.
fn or_own<T>(given: Vec<Option<T>>) -> Vec<Option<T>> {
    if given.is_empty() { vec![None] } else { given }
}

impl From<AskedAsArg> for AskedAs {
    fn from(given: AskedAsArg) -> AskedAs {
        match given {
            AskedAsArg::Programs => AskedAs::Programs,
            AskedAsArg::Tools => AskedAs::Tools,
        }
    }
}
