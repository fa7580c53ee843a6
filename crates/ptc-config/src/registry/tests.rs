use std::path::Path;

use ptc_chat::ScriptedLlm;
use ptc_compression::{RenderInput, Rendered};
use ptc_lisp::Memory;
use ptc_transcript::Turn;

use super::*;
use crate::{ModelName, StrategyChoice};

/// Shows nothing of a run.
struct Silent(&'static str);

impl Compression for Silent {
    fn name(&self) -> &str {
        self.0
    }

    fn to_messages(&self, _: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        Vec::new().into()
    }
}

fn registry() -> Registry {
    let mine = Arc::new(ScriptedLlm::replies(["(return 1)"]));
    Registry::new().llm("mine", mine).unwrap().strategy(Silent("silent")).unwrap()
}

/// The strategy and the ceiling of a mission with this line, or what is wrong with it.
fn check(toml: &str) -> String {
    match registry().read("m.toml", &format!("mission = \"x\"\n{toml}")) {
        Ok(mission) => {
            let record = mission.agent.compression.to_record();
            format!("{:?} {:?} {:?}", mission.agent.llm, record.strategy, record.max_tokens)
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_registered_can_be_named() {
    assert_eq!(check("llm = 'mine'\ncompression = 'silent'"), r#"Some("mine") Some("silent") None"#);
    let below = "compression = { strategy = 'silent', max_tokens = 90, token_counter = 'bytes' }";
    assert_eq!(check(below), r#"None Some("silent") Some(90)"#);
    assert_eq!(check("llm = 'ollama:a'\ncompression = 'digest'"), r#"Some("ollama:a") Some("digest") None"#);
    let choice = StrategyChoice::parse_with(&registry(), "--compression", "silent").unwrap();
    assert_eq!(choice.to_config().to_record().strategy.as_deref(), Some("silent"));
}

#[test]
fn unknown_names_are_told_what_there_is() {
    insta::assert_snapshot!(check("llm = 'qwen'"), @"m.toml:2:7: there is no model `qwen`; registered: mine; built in: PROVIDER:MODEL, URL#MODEL, replay:FILE");
    insta::assert_snapshot!(check("[agents.a]\nmission = 'y'\ndescription = 'd'\nllm = 'me'"), @"m.toml:5:7: there is no model `me`; registered: mine; built in: PROVIDER:MODEL, URL#MODEL, replay:FILE");
    insta::assert_snapshot!(check("[tools.ask]\nsignature = '(t :string) -> :string'\nllm = { mission = '{{t}}', llm = 'me' }"), @"m.toml:4:34: there is no model `me`; registered: mine; built in: PROVIDER:MODEL, URL#MODEL, replay:FILE");
    insta::assert_snapshot!(check("compression = 'silnt'"), @"m.toml:2:15: there is no compression strategy `silnt`; registered: silent; built in: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
    insta::assert_snapshot!(check("compression = { strategy = 'silent', window = 2 }"), @"m.toml:2:38: unknown key `window` in the options of `silent`; known: strategy, max_tokens, token_counter");
    let choice = StrategyChoice::parse_with(&registry(), "--compression", "zip").unwrap_err();
    insta::assert_snapshot!(choice, @"--compression:1:1: there is no compression strategy `zip`; registered: silent; built in: single-user-coalesced, digest, rolling-window, per-turn-summary, aggressive, append-only, none");
}

#[test]
fn models_are_registered_connected_or_unknown() {
    let model = |registry: &Registry, text: &str| match registry.model(&ModelName::parse(text, Path::new(""))) {
        Ok(llm) => llm.name().to_owned(),
        Err(error) => error.to_string(),
    };
    let connecting = registry().providers(|spec| match spec.split_once(':') {
        Some((_, name)) => Ok(Arc::new(ScriptedLlm::replies(["1"]).named(name)) as Arc<dyn Llm>),
        None => Err(std::io::Error::other(format!("`{spec}` names no provider"))),
    });
    assert_eq!(model(&connecting, "mine"), "scripted");
    assert_eq!(model(&connecting, "ollama:a"), "a");
    insta::assert_snapshot!(model(&connecting, "qwen"), @"`qwen` names no provider; registered: mine");
    insta::assert_snapshot!(model(&registry(), "ollama:a"), @"there is no model `ollama:a`; registered: mine; built in: PROVIDER:MODEL, URL#MODEL, replay:FILE");
    assert!(model(&registry(), "replay:nowhere.jsonl").starts_with("cannot read the replay file nowhere.jsonl"));
}

#[test]
fn names_that_nobody_could_choose_are_refused() {
    let refused = |name| Registry::new().strategy(Silent(name)).unwrap_err().to_string();
    insta::assert_snapshot!(refused("digest"), @"a strategy cannot be registered as `digest`: this name is built in");
    insta::assert_snapshot!(refused("none"), @"a strategy cannot be registered as `none`: this name is built in");
    insta::assert_snapshot!(refused("a,b"), @"a strategy cannot be registered as `a,b`: this name cannot be written on a command line");
    let refused = |name| Registry::new().llm(name, Arc::new(ScriptedLlm::replies([""; 0]))).unwrap_err().to_string();
    insta::assert_snapshot!(refused(" mine"), @"a model cannot be registered as ` mine`: this name is empty or has spaces around it");
    insta::assert_snapshot!(refused("replay:x"), @"a model cannot be registered as `replay:x`: this name means recorded answers");
}

/// Shows nothing of a run, with options of all kinds.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Tuned {
    prints: usize,
    loud: bool,
    style: String,
}

impl Compression for Tuned {
    fn name(&self) -> &'static str {
        "tuned"
    }

    fn options(&self) -> ptc_transcript::CompressionOptions {
        serde_json::from_value(serde_json::to_value(self).unwrap()).unwrap()
    }

    fn with_options(
        &self,
        options: &ptc_transcript::CompressionOptions,
    ) -> Option<Result<Arc<dyn Compression>, String>> {
        Some(ptc_compression::strategy_of::<Tuned>(options))
    }

    fn to_messages(&self, _: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered {
        Vec::new().into()
    }
}

#[test]
fn options_of_a_registered_strategy_are_set_where_it_takes_them() {
    let tuned = Tuned { prints: 2, loud: false, style: "plain".to_owned() };
    let registry = registry().strategy(tuned.clone()).unwrap();
    let choose = |text: &str| match StrategyChoice::parse_with(&registry, "--compression", text) {
        Ok(choice) => ptc_compression::one_line(&choice.to_config().to_record()),
        Err(error) => error.to_string(),
    };
    insta::assert_snapshot!(choose("tuned"), @r#"tuned,prints=2,loud=false,style="plain""#);
    insta::assert_snapshot!(choose("tuned,prints=4,style=dense,max_tokens=90,token_counter=bytes"), @r#"tuned,prints=4,loud=false,style="dense",max_tokens=90,token_counter=bytes"#);
    insta::assert_snapshot!(choose("tuned,print=4"), @"--compression:1:7: unknown key `print` in the options of `tuned`; use `prints`");
    insta::assert_snapshot!(choose("tuned,prints=many"), @"--compression:1:14: prints must be an integer, 0 or more (got many)");
    insta::assert_snapshot!(choose("silent,prints=4"), @"--compression:1:8: unknown key `prints` in the options of `silent`; known: strategy, max_tokens, token_counter");
    let file = "mission = 'x'\ncompression = { strategy = 'tuned', loud = true }";
    let record = registry.read("m.toml", file).unwrap().agent.compression.to_record();
    assert_eq!(record.options, Tuned { loud: true, ..tuned }.options());
    // What a record says is found again with the strategies of the registry.
    let own = registry.strategies();
    let read = ptc_compression::CompressionConfig::from_record_with(&record, &own).unwrap();
    assert_eq!(read.to_record(), record);
    assert!(ptc_compression::CompressionConfig::from_record(&record).is_err());
    let other = ptc_transcript::CompressionRecord { strategy: Some("silent".to_owned()), ..record };
    let refused = ptc_compression::CompressionConfig::from_record_with(&other, &own).unwrap_err();
    insta::assert_snapshot!(refused, @"the options of the strategy `silent` cannot be read: they are those of the registered value: implement `with_options`");
}
