//! `ptc run --preview`: the first request, without a model.

use std::io::{self, Write};
use std::sync::Arc;

use ptc_runner::agent::Context;
use ptc_runner::chat::{Llm, Message, Request, ScriptedLlm, request_line, shown_addresses};
use ptc_runner::compression::words::grouped;
use ptc_runner::compression::{TokenCounter, usual_token_counter};
use ptc_runner::config::{ModelName, Settings, model_of};
use ptc_runner::lisp::text::{escaped, escaped_lines};
use serde_json::{Value as Json, json};

use super::args::RunArgs;
use super::overrides;
use crate::failure::{Exit, Failure};
use crate::output;
use crate::trust;

/// Show what the model would be asked first. MCP servers are started, since their tools are in it; no tool is called.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let mut mission = super::asked::mission(&args.asked, args.save())?;
    let settings = Settings::load(&mission.folder)?;
    output::notes(&mission.notes);
    overrides::apply(&mut mission, &args.asked)?;
    trust::ask(&mut mission)?;
    let _servers = mission.connect_hosted()?;
    output::notes(&mission.server_problems());
    let agent = mission.build_agent(&mission.limits())?;
    let context = Context::from_map(mission.data_map());
    output::remarks(&agent.check(&context));
    let nobody: Arc<dyn Llm> = Arc::new(ScriptedLlm::replies([""; 0]));
    let registry = mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&nobody))).collect();
    let options = mission.run_options().llm_registry(registry);
    let preview = Preview {
        request: agent.preview_request(context, &options)?,
        // A preview needs no model.
        model: model_of(Some(&mission), args.asked.llm.as_deref(), &settings).map(|(model, _)| model),
        counter: usual_token_counter(),
    };
    if args.json {
        output::json(&preview.to_json()?)?
    } else {
        output::print(|out| preview.write(out))?
    }
    Ok(Exit::Ok)
}

/// A request and the model that it would go to.
pub(crate) struct Preview {
    pub(crate) request: Request,
    pub(crate) model: Option<ModelName>,
    pub(crate) counter: Arc<dyn TokenCounter>,
}

impl Preview {
    fn tokens(&self, text: &str) -> usize {
        self.counter.count(text)
    }

    /// Tokens of the part of a message that every request of the run repeats.
    fn stable(&self, message: &Message) -> usize {
        self.tokens(message.content().get(..message.stable_bytes()).unwrap_or_default())
    }

    /// Tokens of the whole text.
    pub(crate) fn total(&self) -> usize {
        let messages = self.request.messages.iter().map(|message| self.tokens(&message.content()));
        self.tokens(&self.request.system) + messages.sum::<usize>()
    }

    fn model(&self) -> String {
        match &self.model {
            Some(ModelName::Replay(file)) => format!("answers recorded in {}", file.display()),
            Some(ModelName::Named(name)) => shown_addresses(name),
            _ => "none is named".to_owned(),
        }
    }

    /// The request as `--requests` writes it, with its size.
    fn to_json(&self) -> Result<Json, Failure> {
        let Request { messages, system, .. } = &self.request;
        let line = request_line(&self.request)?;
        let message =
            |message: &Message| json!({"tokens": self.tokens(&message.content()), "stable": self.stable(message)});
        let messages: Vec<Json> = messages.iter().map(message).collect();
        Ok(json!({
            "request": serde_json::from_str::<Json>(&line)?,
            "model": self.model(),
            "counter": self.counter.name(),
            "tokens": {"system": self.tokens(system), "messages": messages, "total": self.total()},
        }))
    }

    /// The same for people, with control characters spelled out; JSON has the request as it is.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Request { messages, system, tool_names, cache, schema, output, .. } = &self.request;
        let tokens = |text: &str| grouped(self.tokens(text));
        writeln!(out, "--- system: {} tokens, the same in every request of the run ---", tokens(system))?;
        writeln!(out, "{}", escaped_lines(system.trim_end()))?;
        for message in messages {
            let (role, text, stable) = (message.role.as_str(), message.content(), self.stable(message));
            let stable =
                if stable == 0 { String::new() } else { format!(", the first {} in every request", grouped(stable)) };
            writeln!(out, "\n--- {role}: {} tokens{stable} ---", tokens(&text))?;
            writeln!(out, "{}", escaped_lines(text.trim_end()))?;
        }
        writeln!(out, "\n--- what is sent with it ---")?;
        let names = if tool_names.is_empty() { "none".to_owned() } else { tool_names.join(", ") };
        writeln!(out, "tokens     {} in all, counted as {}", grouped(self.total()), self.counter.name())?;
        writeln!(out, "model      {}", escaped(&self.model()))?;
        writeln!(out, "answer     {}{}", output.as_str(), if schema.is_some() { ", by a JSON schema" } else { "" })?;
        writeln!(out, "tools      {names}")?;
        let cached = if *cache {
            "the provider is asked to cache what is repeated"
        } else {
            "no caching is requested; `cache = true` asks the provider to cache what is repeated"
        };
        writeln!(out, "cache      {cached}")
    }
}
