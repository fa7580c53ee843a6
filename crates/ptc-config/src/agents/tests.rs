use std::sync::Arc;

use ptc_agent::{Context, LlmRegistry, RunOptions};
use ptc_chat::{Llm, ScriptedLlm};

use crate::{ConfigError, MissionFile};

fn load(tables: &str) -> Result<MissionFile, ConfigError> {
    MissionFile::from_text("m.toml", &format!("mission = \"x\"\n{tables}"))
}

/// The error of a mission with these tables.
fn check(tables: &str) -> String {
    let built = load(tables).and_then(|mission| mission.build_agent(&mission.limits()));
    built.map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}

const TREE: &str = r#"
llm = "a"
max_depth = 4
[agents.pricer]
mission = "Price {{room}}"
signature = "(room :int) -> {total :float}"
description = "Prices one room"
max_turns = 2
llm = "b"
[agents.pricer.tools.rate]
program = "89.5"
[agents.pricer.tools.again]
self = true
[agents.pricer.agents.checker]
mission = "Check"
description = "Checks"
llm = "c"
[agents.plain]
mission = "y"
description = "Does y"
llm = "b"
"#;

#[test]
fn agents_are_tools_with_tools_of_their_own() {
    let mission = load(TREE).unwrap();
    assert_eq!(mission.llm_names(), ["b", "c"]);
    let agent = mission.build_agent(&mission.limits()).unwrap();
    let tools: Vec<String> = agent
        .tools()
        .iter()
        .map(|tool| format!("{}: {}", tool.name, tool.description.as_deref().unwrap_or_default()))
        .collect();
    assert_eq!(tools, ["pricer: Prices one room", "plain: Does y"]);
    let pricer = &mission.agents[0];
    assert_eq!((pricer.tools.len(), pricer.agents[0].name.as_str(), pricer.agent.max_turns), (2, "checker", 2));
}

#[test]
fn options_of_all_agents_can_be_changed() {
    let mut mission = load(TREE).unwrap();
    let mut seen = Vec::new();
    mission.change_agents(|options| {
        seen.extend(options.llm.take());
        options.retry_turns = 7;
    });
    assert_eq!((seen.concat().as_str(), mission.agents[0].agents[0].agent.retry_turns), ("abcb", 7));
}

#[test]
fn an_agent_of_a_file_calls_agents() {
    let mission = load(TREE).unwrap();
    let agent = mission.build_agent(&mission.limits()).unwrap();
    let scripted = |programs: &[&str]| -> Arc<dyn Llm> { Arc::new(ScriptedLlm::replies(programs.iter().copied())) };
    let llm_registry = LlmRegistry::from([
        ("a".to_owned(), scripted(&["(return (:total (tool/pricer {:room 2})))"])),
        (
            "b".to_owned(),
            scripted(&[
                "(return {:total (+ (tool/rate) (tool/checker) (:total (tool/again {:room 0})))})",
                "(return {:total 0.5})",
            ]),
        ),
        ("c".to_owned(), scripted(&["(return 10)"])),
    ]);
    let options = RunOptions::new().llm_registry(llm_registry);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let step = runtime.block_on(agent.run_with(Context::default(), options)).unwrap();
    assert_eq!(step.value::<f64>().unwrap(), 100.0);
}

#[test]
fn an_agent_writes_unless_its_table_says_that_it_reads() {
    let effect = |key: &str| {
        let table = format!("[agents.p]\nmission = \"y\"\ndescription = \"d\"\n{key}");
        let mission = load(&table).unwrap();
        let agent = mission.build_agent(&mission.limits()).unwrap();
        agent.tools()[0].effect.as_str()
    };
    assert_eq!((effect(""), effect("effect = \"read\"")), ("write", "read"));
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\"\ndescription = \"d\"\neffect = \"reads\""), @"m.toml:5:10: unknown effect reads (read, write)");
}

#[test]
fn tables_that_cannot_be_used() {
    insta::assert_snapshot!(check("agents = 3"), @"m.toml:2:10: agents must be a map (got 3)");
    insta::assert_snapshot!(check("[agents]\np = 3"), @"m.toml:3:5: agent `p` must be a table (got 3)");
    insta::assert_snapshot!(check("[agents.\"a b\"]\nmission = \"y\""), @"m.toml:2:9: invalid tool name 'a b': use letters, digits, `_`, `-`, `?` and `!`, starting with a letter or `_`");
    insta::assert_snapshot!(check("[agents.p]\ndescription = \"d\""), @"m.toml:2:9: agent `p` needs a mission to serve as a tool");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\""), @"m.toml:2:9: agent `p` needs a description to serve as a tool");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\"\ndescription = \"d\"\nmaxturns = 3"), @"m.toml:5:1: unknown key `maxturns` in agent `p`; use `max_turns`");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\"\ndescription = \"d\"\nmax_turns = 0"), @"m.toml:5:13: max_turns must be an integer above 0 (got 0)");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\"\ndescription = \"d\"\n[agents.p.data]\nx = 1"), @"m.toml:5:1: agent `p` cannot have `data`; an agent called as a tool reads its arguments as data: declare them in its signature");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y\"\ndescription = \"d\"\ncache = true"), @"m.toml:5:9: agent `p` cannot have `cache`; it belongs to the whole run: set it at the top of the file");
    insta::assert_snapshot!(check("[agents.p]\nmission = \"y {{z}}\"\nsignature = \"() -> :int\"\ndescription = \"d\""), @"m.toml: mission placeholders without a signature parameter: {{z}}");
    insta::assert_snapshot!(check("[tools.p]\nprogram = \"1\"\n[agents.p]\nmission = \"y\"\ndescription = \"d\""), @"m.toml: two tools are named 'p': rename one of them");
    insta::assert_snapshot!(check("[tools.p]\nself = true"), @"m.toml: a self tool requires a signature");
}
