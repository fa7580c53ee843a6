//! Random runs: programs with calls of every kind, agents that call agents, approvals, options and strategies.
//!
//! What the model says depends on the request only, and what a tool does on its arguments only: a run takes the same
//! course wherever a process of it starts.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use ptc_chat::Tokens;
use ptc_compression::{CompressionConfig, Strategy as History};
use ptc_transcript::Decision;

use super::*;
use crate::{ApprovalScope, KeepTurns, OnBudgetExceeded, SubagentOptions};

/// What each answer of one agent contains.
type Programs = Vec<String>;

/// A run: its seeds, so to speak.
#[derive(Clone)]
pub(super) struct Case {
    top: Programs,
    /// Called by the run; which of them depends on the argument.
    boss: Vec<Programs>,
    /// Called by the run and by `boss`.
    clerk: Vec<Programs>,
    /// The history of the run and of the agents that it calls: none, or one of the strategies.
    histories: (usize, usize),
    max_turns: usize,
    retry_turns: usize,
    pub options: Options,
    /// The turn for which the model cannot be asked.
    broken: Option<u32>,
}

#[derive(Debug, Clone)]
pub(super) struct Options {
    collect_messages: bool,
    keep_turns: KeepTurns,
    thinking: bool,
    fallback: bool,
    token_limit: Option<u64>,
    returns_partial: bool,
    pub parallel: usize,
    asks_about_programs: bool,
    seed: u64,
}

impl fmt::Debug for Case {
    /// Only what programs do, one answer a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agents = [("boss", &self.boss), ("clerk", &self.clerk)];
        let below = agents.iter().flat_map(|(name, lists)| {
            lists.iter().enumerate().map(move |(place, programs)| (format!("{name} {place}"), programs))
        });
        for (name, programs) in std::iter::once(("top".to_owned(), &self.top)).chain(below) {
            writeln!(f, "{name}:\n  {}", programs.join("\n  "))?;
        }
        let Case { histories, max_turns, retry_turns, options, broken, .. } = self;
        write!(f, "{:?}", (histories, max_turns, retry_turns, options, broken))
    }
}

/// Numbers from 0 to 49: see [`Tool`] and [`decision`] for what they do.
fn any_id() -> impl Strategy<Value = u32> {
    prop_oneof![3 => (0..10u32).prop_map(|ten| ten * 5), 1 => 0..50u32]
}

fn any_call(agents: &'static [&'static str]) -> impl Strategy<Value = String> {
    let tool = prop_oneof![4 => select(&["look", "rate", "note", "pay", "send"][..]), 3 => select(agents)];
    (tool, any_id()).prop_map(|(tool, id)| format!("(tool/{tool} {{:id {id}}})"))
}

/// Several calls at once, of one tool or of several.
fn any_batch(agents: &'static [&'static str]) -> impl Strategy<Value = String> {
    let tool = || prop_oneof![2 => select(&["look", "note", "pay", "send"][..]), 1 => select(agents)];
    (tool(), tool(), prop::collection::vec(any_id(), 2..5)).prop_map(|(one, other, ids)| {
        let ids = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        format!("(pmap (fn [n] (if (even? n) (tool/{one} {{:id n}}) (tool/{other} {{:id n}}))) [{ids}])")
    })
}

fn any_form(agents: &'static [&'static str]) -> impl Strategy<Value = String> {
    let value = prop_oneof![4 => any_call(agents), 2 => any_batch(agents)];
    let caught = |call: &str| format!("(try {call} (catch Exception e (ex-message e)))");
    prop_oneof![
        3 => ("[abc]", value).prop_map(move |(name, call)| format!("(def {name} {})", caught(&call))),
        3 => any_call(agents),
        1 => any_batch(agents),
        1 => ("[abc]", 0..3u32).prop_map(|(name, n)| format!("(defn {name} [x] (+ x data/id {n}))")),
        1 => ("[abc]", 0..60u32).prop_map(|(name, n)| format!("(def {name} (mapv str (range {n})))")),
        1 => Just("(def r (rand-int 1000000))".to_owned()),
        1 => (0..300u32).prop_map(|n| format!("(println \"so far\" data/id (apply str (repeat {n} \"né\")))")),
        1 => Just("(println a)".to_owned()),
        1 => "[st]".prop_map(|task| format!("(task \"{task}\" (tool/look {{:id 1}}))")),
        1 => Just("(step-done \"1\" \"looked around\")".to_owned()),
    ]
}

/// The end of a program.
fn any_end() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(""),
        3 => select(&["(return {:n data/id :_key \"secret\"})", "(return [a b])", "(return (fn [x] x))"][..]),
        2 => select(&["(foo)", "(count 5)", "(def a", "(fail \"no luck\")", "(fail {:reason :odd :message \"too odd\"})"][..]),
    ]
}

fn any_program(agents: &'static [&'static str]) -> impl Strategy<Value = String> {
    (prop::collection::vec(any_form(agents), 0..4), any_end(), 0..12u32).prop_map(|(forms, end, style)| {
        let program = format!("{} {end}", forms.join(" "));
        match style {
            11 => "no program at all".to_owned(),
            8.. => format!("Now this:\n```clojure\n{program}\n```"),
            _ => program,
        }
    })
}

fn any_programs(agents: &'static [&'static str], most: usize) -> impl Strategy<Value = Programs> {
    prop::collection::vec(any_program(agents), 1..=most)
}

fn any_options() -> impl Strategy<Value = Options> {
    let keep_turns = prop_oneof![4 => Just(KeepTurns::Always), 1 => Just(KeepTurns::OnError)];
    let token_limit = prop_oneof![5 => Just(None), 1 => (100..2_000u64).prop_map(Some)];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (flags, keep_turns, token_limit, prop_oneof![1 => Just(1), 1 => 2..5usize], prop::bool::weighted(0.2), any::<u64>())
        .prop_map(|(flags, keep_turns, token_limit, parallel, asks_about_programs, seed)| Options {
            collect_messages: flags.0,
            keep_turns,
            thinking: flags.1,
            fallback: flags.2,
            token_limit,
            returns_partial: flags.3,
            parallel,
            asks_about_programs,
            seed,
        })
}

pub(super) fn any_case() -> impl Strategy<Value = Case> {
    let histories = (0..=History::all().len(), 0..=History::all().len());
    let below = (
        prop::collection::vec(any_programs(&["clerk"], 3), 1..3),
        prop::collection::vec(any_programs(&["look"], 3), 1..4),
    );
    let broken = prop_oneof![7 => Just(None), 1 => (1..4u32).prop_map(Some)];
    let turns = (2..8usize, 0..2usize);
    (any_programs(&["boss", "clerk"], 5), below, histories, turns, any_options(), broken).prop_map(
        |(top, (boss, clerk), histories, (max_turns, retry_turns), options, broken)| Case {
            top,
            boss,
            clerk,
            histories,
            max_turns,
            retry_turns,
            options,
            broken,
        },
    )
}

/// Decisions depend on the arguments, or the length of the program: some are denials, others changes.
pub(super) fn decision(waiting: &Approval) -> Vec<Decision> {
    let of_call = |pending: &PendingCall| match id_of(&pending.call.args) % 10 {
        5 => Decision::deny("not today"),
        6 => Decision::Edit(Value::map_from([(Value::keyword("id"), Value::Int(40))])),
        _ => Decision::Approve,
    };
    match waiting {
        Approval::Calls(calls) => calls.iter().map(of_call).collect(),
        Approval::Program(program) if program.source.len() % 5 == 0 => vec![Decision::deny("not this one")],
        Approval::Program(_) => vec![Decision::Approve],
    }
}

fn id_of(args: &Value) -> i64 {
    args.to_json().ok().and_then(|args| args["id"].as_i64()).unwrap_or_default()
}

impl Case {
    /// What the model says, after how long.
    pub fn answer(&self, request: &Request) -> (Duration, Result<Reply, LlmError>) {
        let text: String = request.messages.iter().map(|message| message.content().into_owned()).collect();
        let digits = text.split_once("Handle ").map(|(_, rest)| rest.split('.').next().unwrap_or_default());
        let id: usize = digits.and_then(|digits| digits.parse().ok()).unwrap_or_default();
        let of = |lists: &'_ [Programs]| lists.get(id % lists.len()).cloned().unwrap_or_default();
        let (programs, level) = match request.agent.as_deref() {
            None => (self.top.clone(), 0),
            Some("boss") => (of(&self.boss), 1),
            Some(_) => (of(&self.clerk), 2),
        };
        let place = request.turn as usize - 1;
        let mark = id + 3 * place + level;
        let latency = Duration::from_micros((mark % 7) as u64 * 300);
        let is_broken = level == 0 && self.broken.is_some_and(|turn| turn <= request.turn);
        if is_broken || (mark % 4 == 1 && request.attempt == 1) {
            return (latency, Err(LlmError::from_status(429, "slow down")));
        }
        let count = |number: usize| number as u64;
        let tokens = Tokens { input: count(80 + mark), output: count(9 + level), cached: count(place), cache_write: 1 };
        let reply = Reply {
            tokens: (mark % 5 != 4).then_some(tokens),
            reasoning: (mark % 3 == 1).then(|| format!("It is turn {}.", request.turn)),
            ..Reply::text(programs.get(place).map_or("(return :over)", String::as_str))
        };
        (latency, Ok(reply))
    }

    fn agent(&self, mission: &str, history: usize, tools: &dyn Fn(&'static str) -> FnTool) -> AgentBuilder {
        let strategy = History::all().into_iter().nth(history).map(CompressionConfig::from);
        let retry = LlmRetry { max_attempts: 2, ..LlmRetry::default() };
        Agent::builder(mission)
            .signature("(id :int) -> :any")
            .description("Handles one")
            .compression(strategy.unwrap_or(CompressionConfig::from(false)))
            .tool(tools("look").effect(ptc_lisp::Effect::Read))
            .tool(tools("rate").effect(ptc_lisp::Effect::Read).cache())
            .tool(tools("note").idempotent())
            .tool(tools("pay").approve())
            .tool(tools("send"))
            .llm_retry(retry)
            .fallback(self.options.fallback)
            .thinking(self.options.thinking)
    }

    /// The agent of the run, with tools of these names.
    pub fn build(&self, tools: &dyn Fn(&'static str) -> FnTool) -> Agent {
        let called = |agent: AgentBuilder, name| {
            agent.build().and_then(|agent| agent.as_tool(SubagentOptions::named(name))).expect("an agent")
        };
        let (own, below) = self.histories;
        let clerk = || self.agent("Handle {{id}}.", below, tools).max_turns(3);
        let boss =
            self.agent("Handle {{id}}.", below, tools).tool(called(clerk(), "clerk")).max_turns(2).retry_turns(1);
        let top = self.agent("Do {{id}} things.", own, tools).tool(called(boss, "boss")).tool(called(clerk(), "clerk"));
        let top = top.plan(["Look around"]).max_turns(self.max_turns).retry_turns(self.retry_turns);
        top.build().expect("an agent")
    }

    pub fn options(&self) -> RunOptions {
        let Options { collect_messages, keep_turns, token_limit, returns_partial, parallel, .. } = self.options.clone();
        let scope = if self.options.asks_about_programs { ApprovalScope::Programs } else { ApprovalScope::Calls };
        RunOptions::new()
            .collect_messages(collect_messages)
            .keep_turns(keep_turns)
            .token_limit(token_limit)
            .on_budget_exceeded(if returns_partial { OnBudgetExceeded::ReturnPartial } else { OnBudgetExceeded::Fail })
            .max_parallel_calls(parallel)
            .approval_scope(scope)
            .approval(Arc::new(decision))
            .tasks(Vec::new())
            .seed(self.options.seed)
            .run_id("r")
    }
}
