//! Commands that show what there is.

use std::io::{self, Write};

use ptc_runner::lisp::text::{FormatOptions, escaped, format_within, nearest, one_line};
use ptc_runner::lisp::values::type_of;
use ptc_runner::lisp::{Memory, ToolSpec, Value, look_up};

use super::super::super::doc;
use super::super::state::{MAX_LINES, Next, State};
use super::Refusal;
use crate::output;

/// Columns after which the names of a list end.
const MAX_NAME: usize = 30;

pub(super) fn doc(state: &mut State, given: &str) -> Result<Next, Refusal> {
    if given.is_empty() {
        return Err("write :doc NAME, as in :doc group-by; (apropos \"word\") looks in descriptions".into());
    }
    let (tools, data, memory) = (state.world.tools(), state.world.data(), state.session.session().memory());
    if let Some(tool) = tools.iter().find(|tool| is_meant(given, "tool/", &tool.name)) {
        output::print(|out| tool_shown(tool, out))?;
    } else if let Some((name, value)) = data.iter().find(|(name, _)| is_meant(given, "data/", name)) {
        let line = entry(&format!("data/{name}"), value, state.width, 0);
        output::print(|out| writeln!(out, "{line}"))?;
    } else if memory.get(given).is_some() {
        output::print(|out| definitions(&memory, Some(given), state.width, out))?;
    } else {
        let found = look_up(given).map_err(|_| {
            let meant = nearest(given, state.names.all());
            let meant = meant.map_or_else(
                || "(apropos \"word\") looks in descriptions".to_owned(),
                |meant| format!("did you mean {meant}?"),
            );
            format!("nothing is called {given}; {meant}")
        })?;
        output::print(|out| doc::describe(&found, out))?;
    }
    Ok(Next::Prompt)
}

/// Whether this name, with or without its namespace, is meant; without one, a name of the language belongs to the
/// language.
fn is_meant(given: &str, namespace: &str, name: &str) -> bool {
    given.strip_prefix(namespace) == Some(name) || (given == name && look_up(given).is_err())
}

pub(super) fn data(state: &mut State, given: &str) -> Result<Next, Refusal> {
    let data = state.world.data();
    if given.is_empty() {
        let width = data.iter().map(|(name, _)| name.len() + 5).max().unwrap_or(0).min(MAX_NAME);
        let lines: Vec<String> =
            data.iter().map(|(name, value)| entry(&format!("data/{name}"), value, state.width, width)).collect();
        let lines =
            if lines.is_empty() { vec!["there is no data; --data NAME=FILE gives some".to_owned()] } else { lines };
        output::print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        return Ok(Next::Prompt);
    }
    let name = given.strip_prefix("data/").unwrap_or(given);
    let found = data.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    let value = found.ok_or_else(|| {
        let meant = nearest(name, data.iter().map(|(name, _)| name.as_str()));
        let meant =
            meant.map_or_else(|| ":data lists the entries".to_owned(), |meant| format!("did you mean {meant}?"));
        format!("there is no data/{name}; {meant}")
    })?;
    state.value(value, MAX_LINES)?;
    state.last = Some(value.clone());
    Ok(Next::Prompt)
}

pub(super) fn tools(state: &mut State, _: &str) -> Result<Next, Refusal> {
    let tools = state.world.tools();
    output::print(|out| match tools.is_empty() {
        true => writeln!(out, "there are no tools; ptc repl MISSION.toml has those of a mission"),
        false => tools.iter().try_for_each(|tool| tool_shown(tool, out)),
    })?;
    Ok(Next::Prompt)
}

pub(super) fn memory(state: &mut State, _: &str) -> Result<Next, Refusal> {
    let (memory, bytes) = (state.session.session().memory(), state.session.session().memory_bytes());
    output::print(|out| {
        if memory.is_empty() {
            return writeln!(out, "nothing is defined yet");
        }
        definitions(&memory, None, state.width, out)?;
        writeln!(out, "{} in {} kB", output::counted(memory.entries().len(), "definition"), bytes.div_ceil(1_024))
    })?;
    Ok(Next::Prompt)
}

/// `data/orders  list[500]  [{:id 1 …`
fn entry(name: &str, value: &Value, width: usize, names: usize) -> String {
    let before = format!("{:names$}  {}  ", escaped(name), type_of(value));
    let left = width.saturating_sub(before.chars().count() + 3);
    let options = FormatOptions { hide: false, ..FormatOptions::sample() };
    format!("{before}{}", format_within(value, &options, left).text)
}

fn tool_shown(tool: &ToolSpec, out: &mut dyn Write) -> io::Result<()> {
    let signature = tool.signature.as_ref().map(|signature| format!(" {signature}")).unwrap_or_default();
    let asks = if tool.approve { ", asks first" } else { "" };
    writeln!(out, "tool/{}{signature}  ({}s{asks})", tool.name, tool.effect.as_str())?;
    tool.description.as_ref().map_or(Ok(()), |text| writeln!(out, "  {}", one_line(text)))
}

/// The definitions, or the one of this name: `(area w h)  doc`, or the name with its type and value.
fn definitions(memory: &Memory, only: Option<&str>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for known in memory.entries().iter().filter(|known| only.is_none_or(|only| only == known.name)) {
        match &known.params {
            Some(params) => {
                let calls = params.split("] [").map(|params| format!("({} {params})", known.name).replace(" )", ")"));
                write!(out, "{}", calls.collect::<Vec<_>>().join("  "))?;
                known.returns.as_ref().map_or(Ok(()), |label| write!(out, "  → {label}"))?;
            }
            None => write!(out, "{}", entry(&known.name, &known.value, width, 0))?,
        }
        writeln!(out, "{}", known.doc.as_ref().map(|doc| format!("  ; {}", one_line(doc))).unwrap_or_default())?;
    }
    Ok(())
}
