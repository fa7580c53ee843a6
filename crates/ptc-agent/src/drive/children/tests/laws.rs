//! What holds for every tree of agents.

use proptest::prelude::*;

use super::*;

/// A model that gives every caller the same answer, and counts.
struct Always {
    program: String,
    requests: Mutex<Vec<Request>>,
}

impl Llm for Always {
    fn reply<'a>(
        &'a self,
        request: &'a Request,
        _: Option<&'a mut dyn ChunkSink>,
    ) -> BoxFuture<'a, Result<Reply, LlmError>> {
        self.requests.lock().expect("a list").push(request.clone());
        Box::pin(async { Ok(Reply::from(self.program.as_str())) })
    }

    fn name(&self) -> &str {
        "always"
    }
}

fn run(agent: AgentBuilder, program: &str) -> (Step, Vec<Request>) {
    let llm = Arc::new(Always { program: program.to_owned(), requests: Mutex::default() });
    let options = RunOptions::new().llm(llm.clone());
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().expect("a runtime");
    let agent = agent.build().expect("an agent");
    let step = runtime.block_on(agent.run_with(Context::new(json!({"n": 1})).expect("data"), options)).expect("a run");
    let requests = llm.requests.lock().expect("a list").clone();
    (step, requests)
}

/// Depth and number of turns of every run of the tree.
fn runs(step: &Step, depth: usize) -> Vec<(usize, usize)> {
    let below = step.child_steps.iter().flat_map(|child| runs(child, depth + 1));
    std::iter::once((depth, step.usage.turns)).chain(below).collect()
}

fn recursive(max_turns: usize, budget: usize, max_depth: usize, shared: bool) -> AgentBuilder {
    let agent = Agent::builder("Again {{n}}").signature("(n :int) -> :int").self_tool("again").fallback(false);
    agent.max_turns(max_turns).turn_budget(budget).max_depth(max_depth).shared_turn_budget(shared).compression(true)
}

const CALLS: &str = "(defn call [n] (try (tool/again {:n n}) (catch Exception e nil))) (mapv call [1 2])";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_run_outlives_depth_and_budget(max_turns in 1usize..4, budget in 1usize..6, max_depth in 1usize..4, shared: bool) {
        let (step, requests) = run(recursive(max_turns, budget, max_depth, shared), CALLS);
        let runs = runs(&step, 0);
        for (depth, turns) in &runs {
            prop_assert!(*depth <= max_depth, "{depth}");
            prop_assert!(*turns <= budget.min(max_turns), "{turns}");
            prop_assert!(*depth < max_depth || *turns == 0, "a run too deep had {turns} turns");
        }
        let total: usize = runs.iter().map(|(_, turns)| turns).sum();
        prop_assert_eq!(total, requests.len());
        prop_assert!(!shared || total <= budget, "{} turns of {}", total, budget);
    }

    #[test]
    fn requests_of_a_parent_keep_their_prefix(max_turns in 2usize..5, max_depth in 1usize..4) {
        let (_, requests) = run(recursive(max_turns, 8, max_depth, false), CALLS);
        let own: Vec<_> = requests.iter().filter(|request| request.agent.is_none()).collect();
        prop_assert!(own.len() >= 2);
        let prefix = |request: &Request| {
            let message = request.messages.first().expect("a message");
            (request.system.clone(), message.content()[..message.stable_bytes()].to_owned())
        };
        let first = prefix(own[0]);
        prop_assert!(first.1.contains("again"));
        for request in own {
            prop_assert_eq!(prefix(request), first.clone());
        }
    }
}
