//! Seeded missions: every feature of the loop, mixed.
//!
//! Ids of calls are unique in a mission. The started agent uses the turn and a number in it; an agent called with an id
//! has its own ids above 10,000 times that id.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ptc_agent::testkit::Faults;
use ptc_agent::{
    Agent, AgentBuilder, Approval, ApprovalScope, CompiledAgent, Context, Decision, LlmRetry, LlmTool, MemoryStrategy,
    RunError, RunOptions, SubagentOptions, chat,
};
use ptc_chat::{Message, OutputMode, Reply, Request, Tokens, ToolUse, llm_fn};
use ptc_compression::{
    Aggressive, AppendOnly, ByteBound, Ceiling, Compression, CompressionConfig, Digest, PerTurnSummary, RollingWindow,
    SingleUserCoalesced,
};
use ptc_transcript::Step;
use serde_json::json;

use super::world::{Dice, Watched, World};

/// Ids of the calls of an agent are above this many times the id that it was called with.
pub const LEVEL: i64 = 10_000;

/// How a mission is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Programs,
    Chat,
    FollowUp,
    Compiled,
}

/// One mission, the same each time it is built.
pub struct Mission {
    seed: u64,
    pub kind: Kind,
    agent: Agent,
    compiled: Option<CompiledAgent>,
    options: RunOptions,
}

/// The outcome of a mission.
pub enum Ended {
    Step(Box<Step>),
    /// The answer of a conversation.
    Answer,
}

impl Mission {
    pub fn new(seed: u64, world: &Arc<World>, faults: &Faults) -> Mission {
        let mut dice = Dice::new(seed);
        let kind = *dice.pick(&[
            Kind::Programs,
            Kind::Programs,
            Kind::Programs,
            Kind::Programs,
            Kind::Chat,
            Kind::FollowUp,
            Kind::Compiled,
        ]);
        let compiled = kind == Kind::Compiled;
        let agent = boss(&mut dice, world, faults, compiled).build().unwrap();
        let source = program(&mut Dice::new(seed), 1, "", true);
        let compiled = compiled.then(|| CompiledAgent::from_source(&agent, source).unwrap());
        let options = options(&mut dice, seed, world, faults);
        Mission { seed, kind, agent, compiled, options }
    }

    /// The options of every process; a journal belongs to one.
    pub fn options(&self) -> RunOptions {
        self.options.clone()
    }

    pub async fn run(&self, options: RunOptions) -> Result<Ended, ptc_agent::AgentError> {
        let context = Context::new(json!({"n": self.seed % 100, "_secret": "hidden"})).unwrap();
        let said = match self.kind {
            Kind::FollowUp => vec![Message::user("Pay. Hello"), Message::assistant("Hello.")],
            _ => Vec::new(),
        };
        match self.kind {
            Kind::Programs => self.agent.run_with(context, options).await.map(Box::new).map(Ended::Step),
            Kind::Compiled => {
                let compiled = self.compiled.as_ref().unwrap();
                compiled.execute(context, options).await.map(Box::new).map(Ended::Step)
            }
            Kind::Chat | Kind::FollowUp => match chat(&self.agent, "Pay what is open", said, options).await {
                Ok(_) => Ok(Ended::Answer),
                Err(RunError::Failed(step)) => Ok(Ended::Step(step)),
                Err(RunError::Agent(error)) => Err(error),
                Err(other) => panic!("{other}"),
            },
        }
    }
}

fn options(dice: &mut Dice, seed: u64, world: &Arc<World>, faults: &Faults) -> RunOptions {
    let written = Arc::new(llm_fn("writer", move |request: &Request| Ok(reply(seed, request))));
    let llm = Watched { llm: faults.llm(written), world: Arc::clone(world) };
    let approver = |waiting: &Approval| waiting.ids().iter().map(|_| Decision::Approve).collect::<Vec<_>>();
    let mut options = RunOptions::new()
        .run_id(format!("m{seed}"))
        .seed(seed)
        .llm(Arc::new(llm))
        .approval(faults.approver(Arc::new(approver)))
        .observers(vec![faults.observer(), faults.observer()])
        .on_chunk(faults.on_chunk())
        .stream(dice.one_in(2))
        .slice(*dice.pick(&[Some(20), Some(500), None]))
        .max_parallel_calls(*dice.pick(&[1, 2, 64]))
        .collect_messages(dice.one_in(2));
    if dice.one_in(4) {
        options = options.approval_scope(ApprovalScope::Programs);
    }
    match dice.below(16) {
        0 => options = options.token_limit(dice.below(400)),
        1 => {
            let most = dice.below(12);
            options = options.budget(move |usage| match usage.llm_requests {
                Some(requests) if requests > most => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            });
        }
        _ => {}
    }
    options
}

fn compression(dice: &mut Dice, faults: &Faults) -> CompressionConfig {
    let strategies: [Arc<dyn Compression>; 6] = [
        Arc::new(SingleUserCoalesced::default()),
        Arc::new(RollingWindow::default()),
        Arc::new(PerTurnSummary::default()),
        Arc::new(Aggressive::default()),
        Arc::new(AppendOnly::default()),
        Arc::new(Digest::default()),
    ];
    let strategy = Arc::clone(dice.pick(&strategies));
    let strategy = if dice.one_in(2) { faults.compression(strategy) } else { strategy };
    let config = CompressionConfig::from(strategy);
    match dice.below(4) {
        0 => CompressionConfig::default(),
        1 => {
            let most = *dice.pick(&[30_000, 60_000, 90_000]);
            config.with_ceiling(Ceiling::new(most, faults.token_counter(ByteBound)))
        }
        _ => config,
    }
}

fn with_tools(builder: AgentBuilder, world: &Arc<World>, faults: &Faults) -> AgentBuilder {
    ["pay", "reserve", "look", "sign"]
        .into_iter()
        .fold(builder, |builder, name| builder.tool(faults.tool(world.tool(name).timeout(Duration::from_secs(30)))))
}

fn boss(dice: &mut Dice, world: &Arc<World>, faults: &Faults, compiled: bool) -> AgentBuilder {
    let clerk = with_tools(Agent::builder("Pay {{id}}").signature("(id :int) -> :int"), world, faults)
        .name("clerk")
        .description("Pays")
        .max_turns(3)
        .compression(compression(dice, faults))
        .llm_retry(retry(dice))
        .build()
        .unwrap();
    let fixed = Agent::builder("Pay {{id}}").signature("(id :int) -> :int").max_turns(1).name("fixed");
    let fixed = with_tools(fixed.description("Pays once"), world, faults).build().unwrap();
    let fixed = CompiledAgent::from_source(&fixed, "(tool/pay {:id (inc (* 10000 data/id))})").unwrap();
    let tone = LlmTool::new("tone", "Tone of {{id}}", "(id :int) -> {n :int}").description("Asks").build().unwrap();
    let mut boss = with_tools(Agent::builder("Pay"), world, faults)
        .tool(clerk.as_tool(SubagentOptions::default()).unwrap())
        .tool(fixed.as_tool(SubagentOptions::default()).unwrap())
        .tool(tone)
        .mission_timeout(Duration::from_secs(*dice.pick(&[100, 3_600])))
        .max_turns(if compiled { 1 } else { 6 });
    if compiled {
        return boss;
    }
    boss = boss.compression(compression(dice, faults)).llm_retry(retry(dice));
    if dice.one_in(3) {
        boss = boss.signature("() -> [:int]");
    }
    if dice.one_in(3) {
        boss = boss.retry_turns(2);
    }
    if dice.one_in(4) {
        boss = boss.memory_limit(200).memory_strategy(MemoryStrategy::Rollback);
    }
    if dice.one_in(8) {
        boss = boss.turn_budget(6).shared_turn_budget(dice.one_in(2));
    }
    boss
}

fn retry(dice: &mut Dice) -> LlmRetry {
    LlmRetry { max_attempts: *dice.pick(&[1, 2, 4]), ..LlmRetry::default() }
}

/// The same answer to each request for this turn of this agent.
fn reply(seed: u64, request: &Request) -> Reply {
    let agent = request.agent.as_deref().unwrap_or_default();
    let salt = agent.bytes().fold(u64::from(request.turn), |salt, byte| salt * 31 + u64::from(byte));
    let mut dice = Dice::new(seed ^ (salt << 20));
    let tokens = Tokens { input: 10 + dice.below(50), output: dice.below(50), ..Tokens::default() };
    let reply = match (agent, request.output) {
        ("tone", _) => Reply::text(r#"{"n": 4}"#),
        (_, OutputMode::Text) => text(&mut dice, request.turn),
        (agent, _) => {
            let ends = request.turn >= if agent.is_empty() { 4 } else { 2 };
            let program = program(&mut dice, request.turn, agent, ends);
            Reply::text(if dice.one_in(2) { format!("```clojure\n{program}\n```") } else { program })
        }
    };
    Reply { tokens: (!dice.one_in(5)).then_some(tokens), ..reply }
}

/// Some calls, then the answer.
fn text(dice: &mut Dice, turn: u32) -> Reply {
    if turn >= 3 {
        return Reply::text("All is paid.");
    }
    let calls = (0..=dice.below(4)).map(|count| {
        let name = *dice.pick(&["pay", "sign", "reserve", "look", "clerk", "fixed"]);
        ToolUse::new(format!("c{count}"), name, json!({"id": u64::from(turn) * 100 + count}))
    });
    Reply { tool_calls: calls.collect(), ..Reply::default() }
}

/// A program of this turn, of the agent of this name.
fn program(dice: &mut Dice, turn: u32, agent: &str, ends: bool) -> String {
    let mut next = turn * 100;
    let mut id = || {
        next += 1;
        if agent.is_empty() { next.to_string() } else { format!("(+ (* {LEVEL} data/id) {next})") }
    };
    let tools: &[&str] = if agent.is_empty() {
        &["pay", "sign", "reserve", "look", "clerk", "fixed", "tone"]
    } else {
        &["pay", "sign", "reserve"]
    };
    let mut forms = vec![format!("(println \"turn {turn}\")")];
    for count in 0..dice.below(4) {
        let tool = *dice.pick(tools);
        let form = match dice.below(8) {
            0..3 => format!("(tool/{tool} {{:id {}}})", id()),
            3 => format!("(try (tool/{tool} {{:id {}}}) (catch Exception e (ex-message e)))", id()),
            4 | 5 => {
                let ids: Vec<String> = (0..2 + dice.below(3)).map(|_| id()).collect();
                let ids = ids.join(" ");
                match dice.below(3) {
                    0 => format!("(pmap (fn [n] (tool/{tool} {{:id n}})) [{ids}])"),
                    1 => format!("(mapv (fn [n] (tool/{tool} {{:id n}})) [{ids}])"),
                    _ => format!("(pmap (fn [n] (try (tool/{tool} {{:id n}}) (catch Exception e nil))) [{ids}])"),
                }
            }
            6 => format!("(pcalls (fn [] (tool/pay {{:id {}}})) (fn [] (tool/{tool} {{:id {}}})))", id(), id()),
            _ => "(reduce + (range 200))".to_owned(),
        };
        forms.push(format!("(def x{turn}_{count} {form})"));
    }
    forms.push(match dice.below(10) {
        0 => "(count 5)".to_owned(),
        1 if ends => "(fail \"no\")".to_owned(),
        _ if ends && agent.is_empty() => "(return [1 2])".to_owned(),
        _ if ends => "(return (inc data/id))".to_owned(),
        _ => "(def done true)".to_owned(),
    });
    forms.join("\n")
}
