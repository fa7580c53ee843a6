//! Agents that run at once on one thread know nothing of each other, however their steps mix: each run is what it is alone.

use std::time::Duration;

use proptest::prelude::*;
use ptc_transcript::{Turn, ValueForm, json_of};
use serde_json::json;

use crate::testing::{Item, ended, scripted};
use crate::{Agent, Context, FnTool, ToolError};

/// Programs of one style each; `MINE` is the name of the agent, and what no other one may see begins with `canary`.
const PROGRAMS: [&str; 9] = [
    "(def mine (str \"canary-MINE-\" data/own)) (println mine)",
    "(def shared (tool/look {:id 7})) (println shared data/own)",
    "(pmap (fn [n] (tool/look {:id n})) [3 1 2])",
    "(tool/look-MINE {:id 2})",
    "(def seen (atom [])) (swap! seen conj data/own) @seen",
    "[mine shared]",
    "(swap! seen conj mine)",
    "(throw (ex-info data/own {:at shared}))",
    "(tool/lok-MINE {:id 1})",
];

const NAMES: [&str; 3] = ["alma", "bero", "cora"];

async fn look(name: &'static str, item: Item) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_millis(item.id.unsigned_abs())).await;
    if item.id == 2 {
        Err(ToolError::new(format!("canary-{name} is not there")))
    } else {
        Ok(format!("canary-{name}-{}", item.id))
    }
}

/// Run the agent of this name, from this moment on, with these programs. All that its caller and its model see, except
/// times.
async fn seen(name: &'static str, begin: u64, programs: Vec<usize>) -> String {
    let agent = Agent::builder(format!("Find what belongs to {name}."))
        .tool(FnTool::with_state("look", "Looks up", name, look))
        .tool(FnTool::with_state(format!("look-{name}"), "Looks up", name, look))
        .max_turns(programs.len() + 1)
        .build()
        .expect("an agent");
    let replies: Vec<String> = programs.iter().map(|program| PROGRAMS[*program].replace("MINE", name)).collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).chain(["(return data/own)"]).collect();
    let (options, llm) = scripted(&replies);
    let data = Context::new(json!({"own": format!("canary-{name}")})).expect("data");
    tokio::time::sleep(Duration::from_millis(begin)).await;
    let step = agent.run_with(data, options).await.expect("a run");
    let turn = |turn: &Turn| {
        let calls = turn.tool_calls().iter().map(|call| {
            (&call.name, json_of(&call.args, ValueForm::Typed), json_of(&call.result, ValueForm::Typed), &call.error)
        });
        let memory = turn.memory().entries().iter().map(|entry| (&entry.name, json_of(&entry.value, ValueForm::Typed)));
        let (calls, memory): (Vec<_>, Vec<_>) = (calls.collect(), memory.collect());
        format!("{} {:?} {calls:?} {memory:?}", json_of(turn.result(), ValueForm::Typed), turn.prints())
    };
    let turns: Vec<String> = step.turns().iter().map(turn).collect();
    let requests: Vec<_> = llm.requests().into_iter().map(|request| request.messages).collect();
    format!("{}\n{}\n{requests:?}", ended(&step), turns.join("\n"))
}

fn on_one_thread<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(work)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn agents_that_run_at_once_say_what_they_say_alone(
        plans in prop::collection::vec((0..20_u64, prop::collection::vec(0..PROGRAMS.len(), 1..7)), 3)
    ) {
        let run = |(name, (begin, programs)): (&'static str, &(u64, Vec<usize>))| seen(name, *begin, programs.clone());
        let together = on_one_thread(futures::future::join_all(NAMES.into_iter().zip(&plans).map(run)));
        for ((name, plan), seen) in NAMES.into_iter().zip(&plans).zip(together) {
            prop_assert!(seen.contains(&format!("canary-{name}")), "{name}: {seen}");
            for other in NAMES.iter().filter(|other| **other != name) {
                prop_assert!(!seen.contains(other), "{name} sees {other}: {seen}");
            }
            prop_assert_eq!(&seen, &on_one_thread(run((name, plan))));
        }
    }
}
