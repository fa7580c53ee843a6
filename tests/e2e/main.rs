//! An agent over a real connection: llama.cpp's server with a small model whose answers are constrained by grammars.
//!
//! Runs when `PTC_LLM_E2E` is `1`; `PTC_LLM_E2E_PYTHON` names the Python that has the server. `docs/contributing.md`
//! says how to install it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

mod constrained;
mod server;

use std::sync::Arc;

use ptc_runner::agent::AgentBuilder;
use ptc_runner::chat::{FunctionLlm, LlmErrorKind, Message, ModelOptions, Request, StopReason, llm_async_fn};
use ptc_runner::compression::{Aggressive, AppendOnly, CompressionConfig, Digest, SingleUserCoalesced};
use ptc_runner::prelude::*;
use serde_json::{Value, json};

use server::Server;

const PROGRAMS: [&str; 3] = [
    "(def big (filter #(> (:price %) 100) data/products))",
    "(println (count big) \"of \\\"größer\\\" €\")",
    "(return (count big))",
];

/// The turns that ways of showing history are compared by; after five of them the merged history has a thousand bytes.
const EXPLORING: [&str; 12] = [
    "(println data/products)",
    "(def prices (map :price data/products))",
    "(println (apply min prices) (apply max prices) (sort prices))",
    "(println (map :name (sort-by :price data/products)) (frequencies (map #(> (:price %) 100) data/products)))",
    "(def dear (filter #(> (:price %) 100) data/products))",
    "(println (zipmap (map :name dear) (map :price dear)) (range 200))",
    "(def total (apply + (map :price dear)))",
    "(println total (count dear))",
    "(println (map #(- (:price %) 100) dear))",
    "(def shares (map #(/ (:price %) total) dear))",
    "(println (map double shares))",
    "(return (count dear))",
];

/// The model, constrained to write the program of each turn, character for character; it streams.
fn scripted(llm: Arc<dyn Llm>, programs: &'static [&'static str]) -> FunctionLlm {
    llm_async_fn("scripted", move |mut request: Request| {
        let llm = llm.clone();
        async move {
            let program = programs[usize::try_from(request.turn).unwrap() - 1];
            request.options.extra.insert("grammar".to_owned(), grammar(program));
            let mut heard = String::new();
            let mut listen = |text: &str| heard.push_str(text);
            let reply = llm.reply(&request, Some(&mut listen)).await?;
            assert_eq!(heard, reply.content);
            Ok(reply)
        }
    })
}

/// A grammar of one sentence.
fn grammar(sentence: &str) -> Value {
    Value::from(format!("root ::= {}", Value::from(sentence)))
}

fn agent(max_turns: usize, max_output_tokens: u32) -> AgentBuilder {
    let options = ModelOptions { temperature: Some(0.0), max_output_tokens, ..ModelOptions::default() };
    Agent::builder("How many products cost more than 100?").max_turns(max_turns).model_options(options)
}

fn products() -> Value {
    let product = |(name, price): (&str, u32)| json!({"name": name, "price": price});
    let products = [("lamp", 40), ("desk", 340), ("chair", 120), ("rug", 99), ("shelf", 210)].map(product);
    json!({ "products": products })
}

/// Runs the three turns and prints the cost of each.
async fn three_turns(llm: &Arc<dyn Llm>, compressed: bool) {
    let agent = agent(3, 200).returns::<u32>().compression(compressed).build().unwrap();
    let step = agent.run(&scripted(llm.clone(), &PROGRAMS), products()).await.unwrap();
    assert_eq!(step.value::<u32>().unwrap(), 3);
    let turns = step.turns.unwrap();
    assert_eq!(turns.iter().map(|turn| turn.raw_response()).collect::<Vec<_>>(), PROGRAMS);
    let first = turns[0].tokens().unwrap();
    for turn in &turns {
        let tokens = turn.tokens().unwrap();
        let name = if compressed { "compressed" } else { "plain" };
        println!(
            "{name}, turn {}: {} input tokens, {} cached, {:?}",
            turn.number(),
            tokens.input,
            tokens.cached,
            turn.duration()
        );
        assert_eq!(turn.stop(), &StopReason::End);
        assert!(tokens.output > 0 && tokens.cached <= tokens.input);
        // The head of the first request, all except the end of its user message, comes from the cache later on.
        assert!(turn.number() == 1 || tokens.cached * 10 >= first.input * 8, "{tokens:?} after {first:?}");
    }
}

/// The cache hits of the server under each way of showing history: the beginning is never computed again.
async fn exploring(llm: &Arc<dyn Llm>) {
    let ways: [(&str, CompressionConfig); 5] = [
        ("none", false.into()),
        (Digest::NAME, Digest::default().into()),
        (SingleUserCoalesced::NAME, true.into()),
        (AppendOnly::NAME, AppendOnly::default().into()),
        (Aggressive::NAME, Aggressive::default().into()),
    ];
    let mut computed = Vec::new();
    for (name, compression) in ways {
        let agent = agent(EXPLORING.len() + 1, 200).returns::<u32>().compression(compression).build().unwrap();
        let step = agent.run(&scripted(llm.clone(), &EXPLORING), products()).await.unwrap();
        assert_eq!(step.value::<u32>().unwrap(), 3);
        let tokens: Vec<_> = step.turns().iter().map(|turn| turn.tokens().unwrap()).collect();
        let shown: Vec<String> = tokens.iter().map(|tokens| format!("{}/{}", tokens.input, tokens.cached)).collect();
        println!("{name}, input/cached per turn: {}", shown.join(" "));
        assert!(tokens.iter().skip(1).all(|later| later.cached * 10 >= tokens[0].input * 8), "{tokens:?}");
        computed.push(tokens.iter().skip(1).map(|later| later.input - later.cached).sum::<u64>());
    }
    assert!(computed[1] < computed[2], "appending reports computes less than merging at every turn: {computed:?}");
}

/// Whatever such a small model writes, the run ends as it should.
async fn a_turn_of_its_own(llm: &Arc<dyn Llm>) {
    let step = agent(2, 40).build().unwrap().run(llm, products()).await.unwrap();
    let turns = step.turns.as_ref().unwrap();
    println!("free: {} after {} turns, {:?}", step.ending.as_str(), turns.len(), turns[0].raw_response());
    assert!((1..=2).contains(&turns.len()));
    assert!(turns.iter().all(|turn| turn.tokens().is_some_and(|tokens| tokens.output <= 40)));
}

async fn a_refused_request(llm: &Arc<dyn Llm>) {
    let mut options = ModelOptions::default();
    options.extra.insert("grammar".to_owned(), Value::from("root ::= nowhere"));
    let request = Request { messages: vec![Message::user("hi")], options, ..Request::default() };
    let error = llm.reply(&request, None).await.unwrap_err();
    assert_eq!((error.kind(), error.status), (LlmErrorKind::ClientError, Some(400)), "{error}");
    assert!(error.message.contains("grammar"), "{error}");
}

/// Whether no real model was asked for.
fn is_skipped() -> bool {
    let is_wanted = std::env::var("PTC_LLM_E2E").as_deref() == Ok("1");
    if !is_wanted {
        println!("skipped: PTC_LLM_E2E is not 1");
    }
    !is_wanted
}

#[tokio::test]
async fn three_turns_over_a_real_wire() {
    if is_skipped() {
        return;
    }
    let server = Server::start();
    let llm = connect(&format!("{}/v1#smollm2", server.url())).unwrap();
    a_refused_request(&llm).await;
    three_turns(&llm, false).await;
    three_turns(&llm, true).await;
    exploring(&llm).await;
    a_turn_of_its_own(&llm).await;
}
