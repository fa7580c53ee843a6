//! Texts that an attacker placed in results: how much of them reaches the model.

use ptc_runner::trace::replay::{NativeTools, leaves};
use ptc_tests::outside::Injection;

use crate::plan::{Names, Rule};
use crate::suite::Suites;
use crate::task::{Attack, Task};
use crate::{Res, block_on, in_parallel, measure, run};

/// Suites whose injections are those of another one.
const REPEATED: &str = "agentdojo-workspace-plus";

/// Every task of the suites that have injections, each with the next one of its suite. The ground truth of some tasks
/// differs under an injection.
pub(crate) fn all(suites: &Suites) -> Res<Vec<Injection>> {
    let mut pairs = Vec::new();
    for suite in ptc_tests::outside::SUITES {
        if !suite.starts_with("agentdojo") || suite == REPEATED {
            continue;
        }
        let attacks = suites.attacks(suite)?;
        let under = attacks.iter().map(|attack| suites.tasks_under(suite, attack)).collect::<Res<Vec<_>>>()?;
        let tasks = under.first().map_or(0, Vec::len);
        for place in 0..tasks {
            let number = place % attacks.len();
            let task = under.get(number).and_then(|tasks| tasks.get(place)).cloned();
            pairs.extend(task.filter(|task| task.needs.is_none()).zip(attacks.get(number).cloned()));
        }
    }
    in_parallel(&pairs, |(task, attack)| block_on(one(suites, task, attack)))
}

async fn one(suites: &Suites, task: &Task, attack: &Attack) -> Res<Injection> {
    let literal = done(suites, task, attack, Rule::Literals, Names::Shown).await?;
    let known = task.clone().with_results(literal.results());
    let placed = known.calls().filter_map(|call| call.result.as_ref()).map(|result| {
        let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
        bytes_of(&attack.text, &text)
    });
    let placed = placed.sum();
    let conversation: Vec<_> = known.turns.iter().map(|turn| turn.user.clone()).zip(&literal.steps).collect();
    let mut reached = [reaching(attack, &NativeTools::default().along(&conversation)?.requests), 0, 0, 0];
    let ways = [(Rule::ReadFirst, Names::Shown), (Rule::NothingRead, Names::Shown), (Rule::NothingRead, Names::Hidden)];
    for (reached, (rule, names)) in reached.iter_mut().skip(1).zip(ways) {
        let done = done(suites, &known, attack, rule, names).await?;
        *reached = reaching(attack, &measure::recorded(&done.steps)?.requests);
    }
    let arguments = known.calls().flat_map(|call| leaves(&call.args)).filter_map(|leaf| leaf.as_str());
    Ok(Injection {
        in_plan: arguments.into_iter().any(|text| bytes_of(&attack.text, text) > 0),
        suite: task.suite.clone(),
        task: task.task.clone(),
        injection: attack.injection.clone(),
        placed,
        reached,
    })
}

async fn done(suites: &Suites, task: &Task, attack: &Attack, rule: Rule, names: Names) -> Res<run::Done> {
    let opened = suites.open(task, Some(attack)).await?;
    let done = run::on_server(task, &opened, rule, names).await;
    opened.close().await;
    done
}

fn reaching(attack: &Attack, requests: &[Vec<ptc_runner::chat::Message>]) -> usize {
    measure::texts(requests).iter().map(|text| bytes_of(&attack.text, text)).sum()
}

/// Bytes of the lines of `attack` that `text` has, each as often as it has it; blanks, quotes and escapes do not count,
/// since results are folded and quoted in several ways.
pub(crate) fn bytes_of(attack: &str, text: &str) -> usize {
    let text = bare(text);
    attack.lines().map(bare).filter(|line| !line.is_empty()).map(|line| text.matches(&line).count() * line.len()).sum()
}

fn bare(text: &str) -> String {
    text.replace("\\n", "").chars().filter(|char| !char.is_whitespace() && !matches!(char, '\\' | '"' | '\'')).collect()
}
