use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::join_all;
use proptest::prelude::*;
use ptc_chat::{Llm, LlmErrorKind, Message, Reply, Request, Tokens, llm_async_fn};

use super::{BudgetUsage, SharedBudget, TokenCost, at_most};
use crate::{Agent, RunOptions};

fn request(length: usize, most: u32) -> Request {
    let mut request = Request { messages: vec![Message::user("x".repeat(length))], ..Request::default() };
    request.options.max_output_tokens = most;
    request
}

/// A model that takes a moment, and uses as many parts of a hundred of what it may use.
fn model(parts: u64, in_progress: Arc<AtomicU64>) -> Arc<dyn Llm> {
    Arc::new(llm_async_fn("m", move |request: Request| {
        let in_progress = Arc::clone(&in_progress);
        let may = at_most(&request);
        let output = may.output * parts / 100;
        async move {
            in_progress.fetch_add(may.total(), Ordering::Relaxed);
            tokio::task::yield_now().await;
            in_progress.fetch_sub(may.total(), Ordering::Relaxed);
            Ok(Reply { tokens: Some(Tokens { input: may.input, output, ..Tokens::default() }), ..Reply::text("a") })
        }
    }))
}

fn dollar_a_token() -> TokenCost {
    Arc::new(|tokens: &Tokens| tokens.total() as f64)
}

proptest! {
    /// However many requests begin at once, what was spent and what may still be spent stays within the limit, nothing
    /// stays reserved, and what fits is answered.
    #[test]
    fn no_limit_is_exceeded(
        requests in prop::collection::vec((0..400_usize, 1..300_u32), 1..24),
        most in 0..4000_u64,
        parts in 0..=100_u64,
        in_usd: bool,
    ) {
        let budget = if in_usd { SharedBudget::new().max_usd(most as f64) } else { SharedBudget::new().max_tokens(most) };
        let budget = Arc::new(budget);
        let in_progress = Arc::new(AtomicU64::new(0));
        let llm = budget.guard(model(parts, Arc::clone(&in_progress)), in_usd.then(dollar_a_token));
        let requests: Vec<Request> = requests.into_iter().map(|(length, most)| request(length, most)).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let replies = runtime.block_on(join_all(requests.iter().map(|request| async {
            let reply = llm.reply(request, None).await;
            let BudgetUsage { tokens, .. } = budget.used();
            assert!(tokens + in_progress.load(Ordering::Relaxed) <= most);
            reply
        })));
        let used: u64 = replies.iter().flatten().map(|reply| reply.tokens.unwrap().total()).sum();
        prop_assert_eq!(budget.used().tokens, used);
        prop_assert!(used <= most);
        prop_assert_eq!(budget.books().reserved, BudgetUsage::default());
        for (request, reply) in requests.iter().zip(&replies) {
            if let Err(error) = reply {
                prop_assert_eq!(error.kind(), LlmErrorKind::NoCredit);
                prop_assert!(budget.is_used_up());
                prop_assert!(used + at_most(request).total() > most, "it would have fitted");
            }
        }
    }
}

#[tokio::test]
async fn unknown_costs_are_not_taken_for_nothing() {
    let in_progress = || Arc::new(AtomicU64::new(0));
    let budget = Arc::new(SharedBudget::new().max_usd(1e9));
    let llm = budget.guard(model(50, in_progress()), None);
    let error = llm.reply(&request(1, 1), None).await.unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::ConfigError);
    assert_eq!(error.message, "the budget is in USD, and what this model costs is not known; give its prices");

    // An answer that does not say its tokens is taken to have used all that it may.
    let budget = Arc::new(SharedBudget::new());
    let silent = llm_async_fn("m", |_| async { Ok(Reply::text("a")) });
    budget.guard(Arc::new(silent), None).reply(&request(300, 50), None).await.unwrap();
    assert_eq!(budget.used().tokens, at_most(&request(300, 50)).total());

    // A request that failed uses nothing.
    let failing = llm_async_fn("m", |_| async { Err(ptc_chat::LlmError::new(LlmErrorKind::Timeout, "late")) });
    budget.guard(Arc::new(failing), None).reply(&request(300, 50), None).await.unwrap_err();
    assert_eq!(
        (budget.used().tokens, budget.books().reserved),
        (at_most(&request(300, 50)).total(), BudgetUsage::default())
    );

    // One that was dropped while it waited may have been answered.
    let endless = llm_async_fn("m", |_| std::future::pending());
    let endless = budget.guard(Arc::new(endless), None);
    let (long, before) = (request(30, 7), budget.used().tokens);
    assert!(endless.reply(&long, None).now_or_never().is_none());
    assert_eq!(budget.used().tokens, before + at_most(&long).total());
}

/// A model that needs so many turns, for the tokens of a usual request.
fn slow_model(turns: u32) -> Arc<dyn Llm> {
    Arc::new(llm_async_fn("m", move |request: Request| async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let program = if request.turn < turns { "(println 1)" } else { "(return 3)" };
        let tokens = Tokens { input: 900 + 200 * u64::from(request.turn), output: 40, ..Tokens::default() };
        Ok(Reply { tokens: Some(tokens), ..Reply::text(program) })
    }))
}

fn agent() -> Agent {
    let options = ptc_chat::ModelOptions { max_output_tokens: 500, ..ptc_chat::ModelOptions::default() };
    Agent::builder("Sum?").signature(":int").max_turns(8).model_options(options).build().unwrap()
}

/// How many of these runs have an answer when all begin at once.
async fn answered(runs: usize, turns: u32, budget: SharedBudget, is_priced: bool) -> (usize, BudgetUsage) {
    let (agent, budget) = (agent(), Arc::new(budget));
    let steps = join_all((0..runs).map(|_| {
        let llm = budget.guard(slow_model(turns), is_priced.then(dollar_a_token));
        agent.run_with((), RunOptions::new().llm(llm))
    }));
    let answered = steps.await.into_iter().filter(|step| step.as_ref().is_ok_and(ptc_transcript::Step::is_ok)).count();
    assert_eq!(budget.books().reserved, BudgetUsage::default());
    assert_eq!(budget.books().claimed, BudgetUsage::default());
    (answered, budget.used())
}

/// A run of three turns takes 4,020 tokens, so 100,000 pay for 24; one of a single turn 1,140, for 87.
#[tokio::test(start_paused = true)]
async fn a_limit_pays_for_as_many_answers_however_many_runs_begin() {
    for (turns, affordable, runs, is_priced) in
        [(1, 86, 100, false), (3, 24, 24, false), (3, 24, 60, false), (3, 24, 40, true), (6, 9, 30, false)]
    {
        let budget = SharedBudget::new();
        let budget = if is_priced { budget.max_usd(1e5) } else { budget.max_tokens(100_000) };
        let (answered, used) = answered(runs, turns, budget, is_priced).await;
        assert!(answered + 2 > affordable, "{answered} of {runs} runs of {turns} turns");
        assert!(used.tokens <= 100_000);
    }
}

/// A guard that is kept after its run, and has room set aside, holds nobody up for long.
#[tokio::test(start_paused = true)]
async fn room_that_nobody_uses_is_given_to_others() {
    let budget = Arc::new(SharedBudget::new().max_tokens(8_000));
    let kept = budget.guard(slow_model(1), None);
    kept.reply(&request(30, 500), None).await.unwrap();
    assert!(budget.books().claimed.tokens > 1_000);
    let began = tokio::time::Instant::now();
    let later = budget.guard(slow_model(1), None);
    later.reply(&request(30, 2_000), None).await.unwrap();
    assert_eq!(began.elapsed(), super::NEXT_REQUEST + Duration::from_millis(20));
    drop((kept, later));
    assert_eq!(budget.books().claimed, BudgetUsage::default());
}
