//! The ways of asking that the command line names.

use ptc_runner::config::StrategyChoice;
use ptc_runner::eval::{Mode, Variant};

use super::args::{EvalSuiteArgs, ModeArg};
use crate::failure::Failure;

/// Every combination: programs with each strategy and each language text; native calls, which know neither, once.
pub(super) fn of(args: &EvalSuiteArgs) -> Result<Vec<Variant>, Failure> {
    let strategies = args.compression.iter().map(|given| StrategyChoice::parse("--compression", given).map(Some));
    let strategies: Vec<Option<StrategyChoice>> = strategies.collect::<Result<_, _>>()?;
    let languages: Vec<Option<String>> =
        args.language_spec.iter().map(|key| (key != "auto").then(|| key.clone())).collect();
    let (strategies, languages) = (or_own(strategies), or_own(languages));
    let mut variants = Vec::new();
    for mode in or_own(args.mode.iter().map(|given| Some(Mode::from(*given))).collect()) {
        if mode == Some(Mode::NativeTools) {
            variants.push(Variant { mode, ..Variant::default() });
            continue;
        }
        for compression in &strategies {
            for language_spec in languages.clone() {
                variants.push(Variant { mode, compression: compression.clone(), language_spec });
            }
        }
    }
    if args.record && variants.len() > 1 {
        let rule = "--record keeps the answers to one way of asking; name at most one --as, one --compression and one --language-spec";
        return Err(rule.into());
    }
    if !args.mode.is_empty() && variants.iter().all(|variant| variant.mode == Some(Mode::NativeTools)) {
        let given =
            [("--compression", !args.compression.is_empty()), ("--language-spec", !args.language_spec.is_empty())];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(format!("{option} is for programs; leave it out, or add --as programs").into());
        }
    }
    Ok(variants)
}

/// Whether there may be several ways.
pub(super) fn are_several(args: &EvalSuiteArgs) -> bool {
    args.mode.len() > 1 || args.compression.len() > 1 || args.language_spec.len() > 1
}

/// The given values, or the one that changes nothing.
fn or_own<T>(given: Vec<Option<T>>) -> Vec<Option<T>> {
    if given.is_empty() { vec![None] } else { given }
}

impl From<ModeArg> for Mode {
    fn from(given: ModeArg) -> Mode {
        match given {
            ModeArg::Programs => Mode::Programs,
            ModeArg::NativeTools => Mode::NativeTools,
        }
    }
}
