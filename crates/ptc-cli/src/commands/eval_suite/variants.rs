//! The ways of asking that the command line names.

use ptc_runner::config::StrategyChoice;
use ptc_runner::eval::{EvalModel, Mode, Suite, Variant};

use super::args::{EvalSuiteArgs, ModeArg};
use crate::failure::Failure;

/// Every combination: each mission of the suite, each model, and programs with each strategy and each language text, or
/// native calls, which know neither, once.
pub(super) fn of(args: &EvalSuiteArgs, suite: &Suite, models: &[EvalModel]) -> Result<Vec<Variant>, Failure> {
    let several = |values: Vec<Variant>| if values.len() > 1 { values } else { vec![Variant::default()] };
    let missions =
        suite.missions.iter().map(|mission| Variant { mission: Some(mission.name.clone()), ..Variant::default() });
    let missions = several(missions.collect());
    let models =
        several(models.iter().map(|model| Variant { model: Some(model.clone()), ..Variant::default() }).collect());
    let ways = ways(args)?;
    let mut variants = Vec::new();
    for Variant { mission, .. } in &missions {
        for Variant { model, .. } in &models {
            let (mission, model) = (mission.clone(), model.clone());
            variants.extend(ways.iter().map(|way| Variant {
                mission: mission.clone(),
                model: model.clone(),
                ..way.clone()
            }));
        }
    }
    if args.record && variants.len() > 1 {
        let rule = "--record keeps the answers to one way of asking; name at most one --mission, one --llm, one --as, one --compression and one --language-spec";
        return Err(rule.into());
    }
    Ok(variants)
}

/// Programs with each strategy and each language text, and native calls.
fn ways(args: &EvalSuiteArgs) -> Result<Vec<Variant>, Failure> {
    let strategies = args.compression.iter().map(|given| StrategyChoice::parse("--compression", given).map(Some));
    let strategies: Vec<Option<StrategyChoice>> = strategies.collect::<Result<_, _>>()?;
    let languages: Vec<Option<String>> =
        args.language_spec.iter().map(|key| (key != "auto").then(|| key.clone())).collect();
    let (strategies, languages) = (or_own(strategies), or_own(languages));
    let mut ways = Vec::new();
    for mode in or_own(args.mode.iter().map(|given| Some(Mode::from(*given))).collect()) {
        if mode == Some(Mode::NativeTools) {
            ways.push(Variant { mode, ..Variant::default() });
            continue;
        }
        for compression in &strategies {
            for language_spec in languages.clone() {
                ways.push(Variant { mode, compression: compression.clone(), language_spec, ..Variant::default() });
            }
        }
    }
    if !args.mode.is_empty() && ways.iter().all(|way| way.mode == Some(Mode::NativeTools)) {
        let given =
            [("--compression", !args.compression.is_empty()), ("--language-spec", !args.language_spec.is_empty())];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(format!("{option} is for programs; leave it out, or add --as programs").into());
        }
    }
    Ok(ways)
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
