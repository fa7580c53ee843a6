//! Agent options from the top level of a mission file.

use indexmap::IndexMap;
use ptc_agent::{
    Backoff, FormatSettings, KeepTurns, LlmRetry, MemoryStrategy, OnBudgetExceeded, PlanStep, SignatureValidation,
    rules,
};
use ptc_chat::{LlmErrorKind, ModelOptions, OutputMode};
use ptc_mission::MissionValues;
use ptc_signature::Signature;

use super::{AgentOptions, prompt};
use crate::compression;
use crate::document::{Item, Section};
use crate::error::ConfigError;

/// Every agent option by its own name.
pub(crate) const KEYS: [&str; 42] = [
    "mission",
    "signature",
    "max_turns",
    "retry_turns",
    "timeout",
    "pmap_timeout",
    "max_heap",
    "mission_timeout",
    "memory_limit",
    "memory_strategy",
    "max_depth",
    "turn_budget",
    "shared_turn_budget",
    "llm",
    "llm_retry",
    "system_prompt",
    "prompt_limit",
    "description",
    "field_descriptions",
    "context_descriptions",
    "format_options",
    "float_precision",
    "compression",
    "thinking",
    "output",
    "schema",
    "llm_query",
    "builtin_tools",
    "plan",
    "signature_validation",
    "name",
    "mission_values",
    "fallback",
    "validate_single_shot",
    "max_parallel_calls",
    "model_options",
    "cache",
    "collect_messages",
    "keep_turns",
    "token_limit",
    "on_budget_exceeded",
    "max_tool_calls",
];

/// The options of `table`; its keys are known already.
///
/// Rules are checked in the order in which the options are documented, not in the order of the file.
pub(crate) fn read(table: Section<'_>) -> Result<AgentOptions, ConfigError> {
    let Some(mission) = table.get("mission") else {
        return Err(ConfigError::MissingMission { file: table.document.file.clone() });
    };
    let mut options = AgentOptions::new(mission.text("mission must be text")?);
    for key in KEYS {
        if let Some(item) = table.get(key) {
            limit(&mut options, key, item)?;
            saying(&mut options, key, item)?;
            mode(&mut options, key, item)?;
        }
    }
    Ok(options)
}

/// Options that bound a run.
fn limit(options: &mut AgentOptions, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    let above = format!("{key} must be an integer above 0");
    let absent = format!("{above}, or absent");
    let or_more = format!("{key} must be an integer, 0 or more");
    match key {
        "max_turns" => options.max_turns = item.small(1, &above)?,
        "retry_turns" => options.retry_turns = item.small(0, &or_more)?,
        "timeout" => options.timeout = item.duration(&above)?,
        "pmap_timeout" => {
            return Err(item.refused("`pmap_timeout` is no option: `timeout` bounds a program with all its branches"));
        }
        "max_heap" => options.max_heap = Some(item.bytes(&absent)?),
        "mission_timeout" => options.mission_timeout = Some(item.duration(&absent)?),
        "memory_limit" => options.memory_limit = item.bytes(&absent)?,
        "max_depth" => options.max_depth = item.small(1, &above)?,
        "turn_budget" => options.turn_budget = Some(item.small(1, &above)?),
        "max_parallel_calls" => options.max_parallel_calls = item.small(1, &above)?,
        "max_tool_calls" => options.max_tool_calls = Some(item.small(0, &or_more)? as usize),
        "token_limit" => options.token_limit = Some(item.count(1, &absent)?),
        "float_precision" => options.float_precision = Some(item.small(0, &or_more)?),
        "prompt_limit" => options.prompt_limit = prompt_limit(item)?,
        "llm_retry" => options.llm_retry = Some(retry(item)?),
        "format_options" => options.format_options = format_limits(item)?,
        _ => {}
    }
    Ok(())
}

/// Options that say something to the model or about the agent.
fn saying(options: &mut AgentOptions, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    let text = || item.text(&format!("{key} must be text"));
    match key {
        "signature" => options.signature = Some(signature(item)?),
        "llm" => options.llm = Some(text()?.to_owned()),
        "name" => options.name = Some(text()?.to_owned()),
        "description" => {
            let text = text()?;
            if text.trim().is_empty() {
                return Err(item.refused("description must not be empty"));
            }
            options.description = Some(text.to_owned());
        }
        "system_prompt" => options.system_prompt = prompt::system_prompt(item)?,
        "field_descriptions" => options.field_descriptions = descriptions(key, item)?,
        "context_descriptions" => options.context_descriptions = descriptions(key, item)?,
        "model_options" => options.model_options = model_options(item)?,
        "schema" => options.schema = Some(schema(item)?),
        "builtin_tools" => options.builtin_tools = families(item)?,
        "plan" => options.plan = plan(item)?,
        _ => {}
    }
    Ok(())
}

/// Options that choose one of several ways.
fn mode(options: &mut AgentOptions, key: &str, item: Item<'_>) -> Result<(), ConfigError> {
    let truth = || item.bool(&format!("{key} must be a boolean"));
    match key {
        "llm_query" => options.llm_query = truth()?,
        "shared_turn_budget" => options.shared_turn_budget = truth()?,
        "thinking" => options.thinking = truth()?,
        "fallback" => options.fallback = truth()?,
        "validate_single_shot" => options.validate_single_shot = truth()?,
        "cache" => options.cache = truth()?,
        "collect_messages" => options.collect_messages = truth()?,
        "compression" => (options.compression, options.request_limit) = compression::read(item)?,
        "output" => {
            let choices = [("ptc_lisp", OutputMode::PtcLisp), ("json", OutputMode::Json), ("text", OutputMode::Text)];
            options.output = item.choice("output mode", &choices)?;
        }
        "memory_strategy" => {
            let choices = [("strict", MemoryStrategy::Strict), ("rollback", MemoryStrategy::Rollback)];
            options.memory_strategy = item.choice(key, &choices)?;
        }
        "signature_validation" => {
            options.signature_validation = item.choice(
                key,
                &[
                    ("enabled", SignatureValidation::Enabled),
                    ("warn_only", SignatureValidation::WarnOnly),
                    ("strict", SignatureValidation::Strict),
                    ("disabled", SignatureValidation::Disabled),
                ],
            )?;
        }
        "mission_values" => {
            options.mission_values = item.choice(
                key,
                &[
                    ("inline", MissionValues::Inline),
                    ("reference", MissionValues::Reference),
                    ("auto", MissionValues::Auto),
                ],
            )?;
        }
        "keep_turns" => {
            let choices =
                [("always", KeepTurns::Always), ("never", KeepTurns::Never), ("on_error", KeepTurns::OnError)];
            options.keep_turns = item.choice(key, &choices)?;
        }
        "on_budget_exceeded" => {
            let choices = [("fail", OnBudgetExceeded::Fail), ("return_partial", OnBudgetExceeded::ReturnPartial)];
            options.on_budget_exceeded = item.choice(key, &choices)?;
        }
        _ => {}
    }
    Ok(())
}

/// The signature of an agent or a tool.
pub(crate) fn signature(item: Item<'_>) -> Result<Signature, ConfigError> {
    let text = item.text("signature must be text")?;
    Signature::parse(text).map_err(|source| ConfigError::Signature { place: item.place(), source })
}

fn prompt_limit(item: Item<'_>) -> Result<Option<usize>, ConfigError> {
    let table = item.section("prompt_limit must be a map")?;
    table.only("`prompt_limit`", &["max_chars"])?;
    let chars = table.get("max_chars").map(|item| item.small(1, "max_chars must be an integer above 0"));
    Ok(chars.transpose()?.map(|n| n as usize))
}

fn retry(item: Item<'_>) -> Result<LlmRetry, ConfigError> {
    let table = item.section("llm_retry must be a map")?;
    table.only("`llm_retry`", &["max_attempts", "backoff", "base_delay", "retryable_errors"])?;
    let mut retry = LlmRetry::default();
    if let Some(item) = table.get("max_attempts") {
        retry.max_attempts = item.small(1, "max_attempts must be an integer above 0")?;
    }
    if let Some(item) = table.get("backoff") {
        let choices =
            [("exponential", Backoff::Exponential), ("linear", Backoff::Linear), ("constant", Backoff::Constant)];
        retry.backoff = item.choice("backoff", &choices)?;
    }
    if let Some(item) = table.get("base_delay") {
        retry.base_delay = item.duration("base_delay must be an integer above 0")?;
    }
    if let Some(item) = table.get("retryable_errors") {
        let names = item.texts("retryable_errors must list names of errors")?;
        let kinds = names.iter().map(|name| LlmErrorKind::from_name(name).ok_or_else(|| unknown_error(item, name)));
        retry.retryable_errors = kinds.collect::<Result<_, _>>()?;
    }
    Ok(retry)
}

fn unknown_error(item: Item<'_>, name: &str) -> ConfigError {
    let known = "rate_limit, timeout, server_error, client_error, config_error, unknown";
    item.refused(format!("unknown error {name} ({known})"))
}

fn format_limits(item: Item<'_>) -> Result<FormatSettings, ConfigError> {
    let table = item.section("format_options must be a map")?;
    let mut limits = FormatSettings::default();
    let mut slots = [
        ("feedback_max_chars", &mut limits.feedback_max_chars),
        ("feedback_limit", &mut limits.feedback_limit),
        ("max_print_length", &mut limits.max_print_length),
        ("history_max_bytes", &mut limits.history_max_bytes),
        ("result_limit", &mut limits.result_limit),
        ("result_max_chars", &mut limits.result_max_chars),
    ];
    table.only("`format_options`", &slots.each_ref().map(|(key, _)| *key))?;
    for (key, slot) in &mut slots {
        if let Some(item) = table.get(key) {
            **slot = item.small(0, &format!("{key} must be an integer, 0 or more"))? as usize;
        }
    }
    Ok(limits)
}

fn descriptions(key: &str, item: Item<'_>) -> Result<IndexMap<String, String>, ConfigError> {
    let table = item.section(&format!("{key} must be a map"))?;
    let texts = table.entries().map(|(name, _, item)| {
        let text = item.text(&format!("{key}.{name} must be text"))?;
        Ok((name.to_owned(), text.to_owned()))
    });
    texts.collect()
}

fn schema(item: Item<'_>) -> Result<serde_json::Value, ConfigError> {
    item.section("schema must be a map")?;
    item.json()
}

fn families(item: Item<'_>) -> Result<Vec<String>, ConfigError> {
    let names = item.texts("builtin_tools must list family names")?;
    rules::tool_families(&names).map_err(|source| item.broken(source))?;
    Ok(names)
}

/// Steps are texts, or pairs `["id", "text"]`.
fn plan(item: Item<'_>) -> Result<Vec<PlanStep>, ConfigError> {
    let step = |(number, step): (usize, Item<'_>)| {
        let malformed = format!("plan item {number} is malformed");
        match step.value.get_ref().as_str() {
            Some(text) => Ok(PlanStep::from(text)),
            None => match step.texts(&malformed)?.as_slice() {
                [id, text] => Ok(PlanStep::from((id, text))),
                _ => Err(step.refused(malformed)),
            },
        }
    };
    let steps = (1..).zip(item.list("plan must be a list")?).map(step).collect::<Result<Vec<_>, _>>()?;
    rules::plan(&steps).map_err(|source| item.broken(source))?;
    Ok(steps)
}

fn model_options(item: Item<'_>) -> Result<ModelOptions, ConfigError> {
    let table = item.section("model_options must be a map")?;
    let known = ["temperature", "max_output_tokens", "stop", "seed", "reasoning_effort", "extra"];
    table.only("`model_options`", &known)?;
    serde_json::from_value(item.json()?).map_err(|error| item.refused(format!("model_options: {error}")))
}
