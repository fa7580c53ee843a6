//! A thousand runs at once over one agent, for ten tenants: the runs of a tenant share a budget of tokens, which they cannot
//! exceed together.

use std::collections::BTreeMap;
use std::sync::Arc;

use ptc_runner::agent::Effect;
use ptc_runner::agent::SharedBudget;
use ptc_runner::chat::Tokens;
use ptc_runner::chat::{ModelOptions, llm_async_fn};
use ptc_runner::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinSet;

const RUNS: usize = 1_000;
const TENANTS: usize = 10;

#[derive(Deserialize, JsonSchema)]
struct Stay {
    nights: u32,
}

async fn price(stay: Stay) -> Result<u32, ToolError> {
    Ok(stay.nights * 90)
}

/// Stands for a provider: it counts what it reads and writes, and decides by the number of turns so far.
fn model() -> Arc<dyn Llm> {
    Arc::new(llm_async_fn("fake", |request: Request| async move {
        let program = match request.messages.len() {
            1 => "(def priced (mapv (fn [stay] (assoc stay :total (tool/price stay))) data/stays))",
            _ => "(return (:total (apply max-key :total priced)))",
        };
        let read = request.messages.iter().map(|message| message.content().len()).sum::<usize>() / 4;
        Ok(Reply {
            tokens: Some(Tokens { input: read as u64, output: 20, ..Tokens::default() }),
            ..Reply::text(program)
        })
    }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = Agent::builder("Which stay costs most?")
        .tool(FnTool::new("price", "Euros", price).effect(Effect::Read))
        .returns::<u32>()
        .model_options(ModelOptions { max_output_tokens: 100, ..ModelOptions::default() })
        .build()?;
    // The last tenant may use what about ten of its hundred runs need.
    let most = |tenant| if tenant + 1 < TENANTS { u64::MAX } else { 20_000 };
    let budgets: Vec<_> = (0..TENANTS).map(|tenant| Arc::new(SharedBudget::new().max_tokens(most(tenant)))).collect();
    let (llm, mut runs) = (model(), JoinSet::new());
    for (number, (tenant, budget)) in (0..RUNS).zip(budgets.iter().enumerate().cycle()) {
        let (agent, llm) = (agent.clone(), budget.guard(llm.clone(), None));
        let data = json!({"stays": [{"nights": 2}, {"nights": number % 7 + 3}]});
        runs.spawn(async move { (tenant, agent.run_with(data, RunOptions::new().llm(llm)).await) });
    }
    let (mut done, mut refused) = (BTreeMap::<usize, usize>::new(), BTreeMap::<usize, String>::new());
    while let Some(ended) = runs.join_next().await {
        let (tenant, step) = ended?;
        match step?.value::<u32>() {
            Ok(_) => *done.entry(tenant).or_default() += 1,
            Err(failure) => drop(refused.insert(tenant, failure.to_string())),
        }
    }
    for (tenant, budget) in budgets.iter().enumerate().skip(TENANTS - 2) {
        let (done, all) = (done.get(&tenant).copied().unwrap_or_default(), RUNS / TENANTS);
        println!("tenant {tenant}: all are done: {}, some: {}", done == all, done > 0);
        println!("  within its budget: {}", budget.used().tokens <= most(tenant));
        println!("  refused for lack of tokens: {}", refused.get(&tenant).is_some_and(|why| why.contains("no_credit")));
    }
    Ok(())
}
