//! The figures of a task in each way.

use ptc_runner::chat::Message;
use ptc_runner::compression::{O200k, TokenCounter};
use ptc_runner::prelude::Step;
use ptc_runner::trace::replay::{Comparison, Measured, NativeTools, Prices, Rendition};
use ptc_tests::outside::Figures;
use ptc_tests::study::Cost;

use crate::Res;
use crate::task::Task;

/// Native calls, one by one and in batches. Where the suite does not say what the model answers, its closing text is
/// empty.
pub(crate) fn direct(task: &Task, steps: &[Step], batches: bool, prices: &[Prices]) -> Res<Figures> {
    figures(steps, &native(task, steps, batches)?, prices)
}

/// The requests of native calls.
pub(crate) fn native(task: &Task, steps: &[Step], batches: bool) -> Res<Rendition> {
    let texts = task.turns.iter().map(|turn| turn.user.clone());
    let conversation: Vec<(String, &Step)> = texts.zip(steps).collect();
    let is_said = task.turns.iter().all(|turn| turn.answer.is_some());
    let answer_words = if is_said { None } else { Some(0) };
    Ok(NativeTools { batches, answer_words, ..NativeTools::default() }.along(&conversation)?)
}

/// The requests of the recorded programs.
pub(crate) fn programs(steps: &[Step], prices: &[Prices]) -> Res<Figures> {
    figures(steps, &recorded(steps)?, prices)
}

/// All requests of a conversation.
pub(crate) fn recorded(steps: &[Step]) -> Res<Rendition> {
    let mut renditions = steps.iter().map(|step| Rendition::recorded(step, "programs"));
    let first = renditions.next().ok_or("nothing was run")??;
    renditions.try_fold(first, |all, next| Ok(all.followed_by(next?)))
}

fn figures(steps: &[Step], rendition: &Rendition, prices: &[Prices]) -> Res<Figures> {
    let steps: Vec<&Step> = steps.iter().collect();
    Ok(each(&steps, std::slice::from_ref(rendition), prices)?.into_iter().next().ok_or("nothing was measured")?)
}

/// The figures of each rendition of a conversation.
pub(crate) fn each(steps: &[&Step], renditions: &[Rendition], prices: &[Prices]) -> Res<Vec<Figures>> {
    let mut all = vec![Figures::default(); renditions.len()];
    for prices in prices {
        let comparison = Comparison::of_conversation(steps, renditions, &O200k, Some(prices.clone()));
        for (figures, Measured { requests, totals, .. }) in all.iter_mut().zip(comparison.renditions) {
            let cost = totals.cost.unwrap_or_default();
            figures.costs.push(Cost { uncached: cost.uncached, cached: cost.cached });
            (figures.requests, figures.input) = (requests.len(), totals.input);
            (figures.shared, figures.output) = (totals.shared, totals.output);
        }
    }
    Ok(all)
}

/// Tokens of the results of all calls.
pub(crate) fn results(task: &Task) -> u64 {
    let text = |result: &serde_json::Value| result.as_str().map_or_else(|| result.to_string(), str::to_owned);
    task.calls().filter_map(|call| call.result.as_ref()).map(|result| O200k.count(&text(result)) as u64).sum()
}

/// Everything that a model reads in these requests, a text for each.
pub(crate) fn texts(requests: &[Vec<Message>]) -> Vec<String> {
    let text = |messages: &Vec<Message>| messages.iter().map(|message| message.content().into_owned()).collect();
    requests.iter().map(text).collect()
}
