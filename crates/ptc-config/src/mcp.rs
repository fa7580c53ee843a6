//! MCP servers whose tools programs call: `[mcp.NAME]` tables, and files with `mcpServers` as other programs use them.

use std::path::Path;

use ptc_mcp::{Access, Results, ServerSpec};
use serde_json::{Value as Json, json};

use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::place::{Place, named};
use crate::problems::Problems;
use crate::shape::{self, Key};
use crate::tool;

#[cfg(test)]
mod tests;

const KEYS: [Key; 10] = [
    Key("command", "A command and its arguments, which speaks MCP over its standard streams.", shape::texts),
    Key("url", "Where a server answers by streamable HTTP.", shape::text),
    Key("headers", "Headers of each request to `url`.", || shape::entries(shape::text())),
    Key(
        "env",
        "Variables that the command gets: names that are passed on, or a table of texts.",
        tool::variables_shape,
    ),
    Key("allow", "The tools that programs get, by the server's names; all by default.", shape::texts),
    Key("deny", "Tools that programs do not get.", shape::texts),
    Key("approve", "Tools whose calls need approval.", shape::texts),
    Key(
        "results",
        "How texts in results are read: `\"json\"` or `\"text\"`, for all tools or in a table by the server's names. By default a text that is a JSON object or array is data.",
        || json!({"anyOf": [kinds_of_results(), shape::entries(kinds_of_results())]}),
    ),
    Key(
        "timeout",
        "How long connecting may take, and how long a server may be silent during a call; 60 s by default.",
        shape::amount,
    ),
    Key(
        "required",
        "Whether nothing runs when the server cannot be used; by default the rest continues without its tools.",
        shape::flag,
    ),
];

fn kinds_of_results() -> Json {
    shape::choice(&Results::NAMED.map(|(name, _)| name))
}

/// The schema of `[mcp]`.
pub(crate) fn tables() -> Json {
    let ways = json!([{"required": ["command"]}, {"required": ["url"]}]);
    shape::entries(shape::with(shape::table(shape::properties(&KEYS), &[]), "oneOf", ways))
}

/// The servers of `[mcp]`, in order; commands are resolved from `folder`.
pub(crate) fn read(servers: Item<'_>, folder: &Path, problems: &mut Problems) -> Vec<ServerSpec> {
    let servers = problems.keep(servers.section("mcp must be a map from names to servers"));
    let entries = servers.iter().flat_map(Section::entries);
    entries.filter_map(|(name, place, item)| problems.keep(server(name, place, item, folder))).collect()
}

fn server(name: &str, place: Box<Place>, item: Item<'_>, folder: &Path) -> Result<ServerSpec, ConfigError> {
    tool::check_name(name, &place)?;
    let table = item.section(&format!("mcp server `{name}` must be a table"))?;
    table.only(&format!("mcp server `{name}`"), &shape::names(&KEYS))?;
    let mut spec = match (table.get("command"), table.get("url")) {
        (Some(command), None) => {
            absent(table, "headers", "url")?;
            let line = tool::command_line(&format!("mcp server `{name}`"), command, table.get("env"), folder)?;
            ServerSpec::new(name, Access::Command(line))
        }
        (None, Some(url)) => {
            absent(table, "env", "command")?;
            let rule = "headers must be a map from names to texts";
            let given = table.get("headers").map(|given| given.section(rule)).transpose()?;
            let header = |(name, _, value): (&str, _, Item<'_>)| Ok((name.to_owned(), value.text(rule)?.to_owned()));
            let headers = given.iter().flat_map(Section::entries).map(header).collect::<Result<_, _>>()?;
            ServerSpec::new(name, Access::Http { url: url.text("url must be text")?.to_owned(), headers })
        }
        _ => return Err(item.refused("a server needs exactly one of `command` and `url`")),
    };
    let list =
        |key: &str| table.get(key).map(|item| item.texts(&format!("{key} must list names of tools"))).transpose();
    (spec.allow, spec.deny) = (list("allow")?, list("deny")?.unwrap_or_default());
    spec.approve = list("approve")?.unwrap_or_default();
    if let Some(item) = table.get("results") {
        let kind = |item: Item<'_>| item.choice("results", &Results::NAMED);
        match item.section("results must be text or a table") {
            Err(_) => spec.results = kind(item)?,
            Ok(tools) => {
                let of = |(tool, _, item): (&str, _, Item<'_>)| Ok((tool.to_owned(), kind(item)?));
                spec.tool_results = tools.entries().map(of).collect::<Result<_, ConfigError>>()?;
            }
        }
    }
    if let Some(item) = table.get("required") {
        spec.required = item.bool("required must be true or false")?;
    }
    if let Some(limit) = table.get("timeout") {
        spec.timeout = limit.duration("timeout must be an integer above 0")?;
    }
    Ok(spec)
}

fn absent(table: Section<'_>, key: &str, owner: &str) -> Result<(), ConfigError> {
    table.get(key).map_or(Ok(()), |item| Err(item.refused(format!("{key} belongs to `{owner}`"))))
}

/// The servers of the file that `mcp_servers` names.
pub(crate) fn imported(item: Item<'_>) -> Result<Vec<ServerSpec>, ConfigError> {
    let (path, text) = item.file()?;
    let servers = ServerSpec::import(&text).map_err(|error| item.refused(format!("{}: {error}", named(&path))))?;
    servers.iter().try_for_each(|server| tool::check_name(&server.name, &item.place()))?;
    Ok(servers)
}
