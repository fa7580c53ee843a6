//! Missions whose connections are lost anywhere: the same comes of them, and nothing happens twice.

use std::sync::Arc;

use proptest::prelude::*;
use ptc_agent::{Agent, AgentBuilder, Context, RunOptions};
use ptc_chat::{LlmError, Reply, Request, llm_fn};
use ptc_durable::Mission;
use ptc_transcript::{StepJson, ValueForm};
use serde_json::{Value as Json, json};
use tokio::sync::OnceCell;

use crate::world::*;

/// An agent that pays by itself and has clerks do it, all of them at once.
fn boss(effects: &Effects) -> AgentBuilder {
    let tools = |builder: AgentBuilder| {
        builder.tool(effects.tool("pay")).tool(effects.tool("reserve").idempotent()).tool(effects.is_paid())
    };
    let clerk = as_tool(tools(Agent::builder("Pay {{id}}")).llm_retry(patient()), "clerk");
    tools(Agent::builder("Pay all").tool(clerk)).llm_retry(patient()).max_turns(6)
}

fn program(request: &Request) -> String {
    let is_clerk = request.messages.iter().any(|message| message.content().contains("Pay 1"));
    let text = match (is_clerk, request.turn) {
        (true, 1) => "(def paid (first (pmap safely [data/id (+ 100 data/id)])))",
        (true, _) => "(return (+ paid (tool/reserve {:id data/id})))",
        (false, 1) => "(def own (safely 7))",
        (false, 2) => "(def held (pmap (fn [id] (tool/reserve {:id id})) (range 1 5)))",
        (false, 3) => "(def theirs (pmap (fn [id] (if (< id 10) (safely id) (tool/clerk {:id id}))) [10 8 11 12 9]))",
        (false, _) => "(return [own held theirs (rand-int 1000)])",
    };
    format!("{SAFELY} {text}")
}

fn options() -> RunOptions {
    let answer = |request: &Request| match request.attempt {
        1 if request.turn == 2 => Err(LlmError::from_status(429, "slow down")),
        _ => Ok(Reply::text(program(request).as_str())),
    };
    RunOptions::new().llm(Arc::new(llm_fn("model", answer)))
}

/// The programs of all turns.
fn programs(step: &Json) -> Vec<Json> {
    step["turns"].as_array().expect("turns").iter().map(|turn| turn["program"].clone()).collect()
}

/// Value and programs of the mission in one process, which nobody kills.
async fn undisturbed() -> (Json, Vec<Json>) {
    static KNOWN: OnceCell<(Json, Vec<Json>)> = OnceCell::const_new();
    KNOWN.get_or_init(undisturbed_once).await.clone()
}

async fn undisturbed_once() -> (Json, Vec<Json>) {
    let agent = boss(&Effects::default()).build().expect("an agent");
    let step = agent.run_with(Context::default(), options().run_id("boss/k").seed(7)).await.expect("a run");
    let shown = StepJson::new(&step, ValueForm::Plain).to_json();
    (shown["return"].clone(), programs(&shown))
}

async fn disturbed(seed: u64, times: usize, one_in: u64) -> Result<(), TestCaseError> {
    let (world, effects) = (World::new(), Effects::default());
    let agent = boss(&effects).build().expect("an agent");
    let mission = Mission { name: "boss".to_owned(), agent, data: Default::default(), options: options() };
    let engine = world.engine([mission]).await;
    engine.chaos(seed, times, one_in);
    let number = engine.submit("boss", "k", json!({"seed": 7}));
    let outcome = engine.outcome(number).await;
    let (value, turns) = undisturbed().await;
    prop_assert_eq!(outcome.fail, None);
    prop_assert_eq!(inline(&outcome.value), &value);
    prop_assert_eq!(programs(inline(&outcome.step)), turns);
    prop_assert_eq!(engine.look(number, |mission| mission.errors.clone()), []);
    let once: Vec<(i64, usize)> = [7, 8, 9, 10, 11, 12, 110, 111, 112].map(|id| (id, 1)).into();
    prop_assert_eq!(effects.of("pay"), once);
    let reserved: Vec<i64> = effects.of("reserve").iter().map(|(id, _)| *id).collect();
    prop_assert_eq!(reserved, [1, 2, 3, 4, 10, 11, 12]);
    if times == 0 {
        prop_assert!(effects.of("reserve").iter().all(|(_, count)| *count == 1));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_same_comes_of_a_mission_that_is_killed_anywhere(
        seed in any::<u64>(), times in 0_usize..40, one_in in 2_u64..40,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(disturbed(seed, times, one_in))?;
    }
}
