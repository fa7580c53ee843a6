//! MCP servers whose tools programs call: `[mcp.NAME]` tables, and files of servers as other programs use them.

use std::path::{Path, PathBuf};

use ptc_mcp::{
    Access, CommandLine, Grant, Imported, LeftOutServer, OAuth, Results, ServerSpec, Source, Token, check_references,
    find_executable,
};
use serde_json::{Value as Json, json};

use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::place::{Place, named};
use crate::problems::Problems;
use crate::shape::{self, Key};
use crate::tool;
use crate::trust::TrustedFiles;
use crate::user::user_logins;

#[cfg(test)]
mod tests;

const KEYS: [Key; 17] = [
    Key("command", "A command and its arguments, which speaks MCP over its standard streams.", shape::texts),
    Key("url", "Where a server answers by streamable HTTP, or by the older transport (SSE).", shape::text),
    Key("headers", "Headers of each request to `url`.", || shape::entries(shape::text())),
    Key(
        "token_file",
        "A file with the token that requests to `url` carry; it is read for each connection, and when the server refuses it.",
        shape::text,
    ),
    Key("token_command", "A command that prints this token; it is run as often.", shape::texts),
    Key(
        "oauth",
        "How this client is known where it gets tokens for `url`: for a person, who logs in with `ptc mcp login`, or for itself.",
        login_shape,
    ),
    Key(
        "env",
        "Variables that the command gets: names that are passed on, or a table of texts.",
        tool::variables_shape,
    ),
    Key("cwd", "The folder that the command runs in; by default that of the file.", shape::text),
    Key("disabled", "Whether the server is left out.", shape::flag),
    Key("allow", "The tools that programs get, by the server's names; all by default.", shape::texts),
    Key("deny", "Tools that programs do not get.", shape::texts),
    Key("approve", "Tools whose calls need approval.", shape::texts),
    Key(
        "results",
        "How texts in results are read: `\"json\"` or `\"text\"`, for all tools or in a table by the server's names. By default a text that is a JSON object or array is data.",
        || json!({"anyOf": [kinds_of_results(), shape::entries(kinds_of_results())]}),
    ),
    Key(
        "hidden",
        "Fields of results that models do not see: names that begin with `_`. Others are shown, unless their name is that of a secret, such as `_token`.",
        shape::texts,
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
    Key(
        "pin",
        "Whether a gateway asks about tools of the server that are new or have changed since they were reviewed.",
        shape::flag,
    ),
];

const LOGIN_KEYS: [Key; 4] = [
    Key(
        "grant",
        "For whom tokens are: `\"client_credentials\"` for the client, without a login, or `\"authorization_code\"` for a person, who logs in; by default this.",
        || shape::choice(&Grant::NAMED.map(|(name, _)| name)),
    ),
    Key(
        "client_id",
        "What the authorization server has given out, or the address of a document that describes the client; by default it is registered at each login.",
        shape::text,
    ),
    Key("client_secret", "What belongs to it.", shape::text),
    Key("scopes", "What a login asks for; by default what the server wants.", shape::texts),
];

fn login_shape() -> Json {
    shape::table(shape::properties(&LOGIN_KEYS), &[])
}

fn kinds_of_results() -> Json {
    shape::choice(&Results::NAMED.map(|(name, _)| name))
}

/// The schema of `[mcp]`.
pub(crate) fn tables() -> Json {
    let both = json!({"required": ["command", "url"]});
    shape::entries(shape::with(shape::table(shape::properties(&KEYS), &[]), "not", both))
}

/// The servers of `[mcp]` in this table, in order, then those of the imported file.
pub(crate) fn read(table: Section<'_>, mut imported: Imported, problems: &mut Problems) -> Imported {
    let rule = "mcp must be a map from names to servers";
    let tables = problems.keep_some(table.get("mcp").map(|servers| servers.section(rule)));
    let mut found = Imported::default();
    for (name, place, item) in tables.iter().flat_map(Section::entries) {
        let known = imported.servers.iter().position(|server| server.name == name);
        let known = known.map(|at| imported.servers.remove(at));
        let is_left_out = imported.left_out.iter().any(|left_out| left_out.server == name);
        match server(name, place, item, known, is_left_out, problems) {
            Ok(Some(server)) => found.servers.push(server),
            Ok(None) if is_left_out => {}
            Ok(None) => found.left_out.push(LeftOutServer::new(name, "it is disabled")),
            Err(error) => drop(problems.keep::<()>(Err(error))),
        }
    }
    let mut found = noted(found, &table.document.file);
    found.servers.extend(imported.servers);
    found.left_out.extend(imported.left_out);
    found.notes.extend(imported.notes);
    found
}

/// The same servers with a note for each one that is left out; all notes name the file.
pub(crate) fn noted(mut servers: Imported, file: &Path) -> Imported {
    let left_out = |one: &LeftOutServer| format!("server `{}` is left out: {}", one.server, one.reason);
    let notes = servers.left_out.iter().map(left_out).chain(servers.notes);
    servers.notes = notes.map(|note| format!("{}: {note}", named(file))).collect();
    servers
}

/// A server, unless it is disabled. A table without `command` and `url` adds to the `known` one of this name.
fn server(
    name: &str,
    place: Box<Place>,
    item: Item<'_>,
    known: Option<ServerSpec>,
    is_left_out: bool,
    problems: &mut Problems,
) -> Result<Option<ServerSpec>, ConfigError> {
    let table = item.section(&format!("mcp server `{name}` must be a table"))?;
    table.only(&format!("mcp server `{name}`"), &shape::names(&KEYS))?;
    let source = Source::new(&item.document.file, item.document.folder());
    let mut spec = match (table.get("command"), table.get("url"), known) {
        (None, None, Some(known)) => known,
        (None, None, None) if is_left_out => return Ok(None),
        (Some(command), None, _) => {
            tool::check_name(name, &place)?;
            let line = command_line(command)?;
            warn_of_missing(name, command, &line, table, &source, problems);
            ServerSpec::new(name, Access::Command(line)).source(source)
        }
        (None, Some(url), _) => {
            tool::check_name(name, &place)?;
            ServerSpec::http(name, text(url, "url must be text")?).source(source)
        }
        _ => return Err(item.refused("a server needs exactly one of `command` and `url`")),
    };
    reach(&mut spec, table)?;
    choose(&mut spec, table)?;
    let is_disabled = table.get("disabled").map(|item| item.bool("disabled must be a boolean")).transpose()?;
    Ok(Some(spec).filter(|_| is_disabled != Some(true)))
}

/// How this client is known where it gets tokens.
fn login(oauth: &mut OAuth, item: Item<'_>) -> Result<(), ConfigError> {
    let table = item.section("oauth must be a table")?;
    table.only("oauth", &shape::names(&LOGIN_KEYS))?;
    let word = |key: &str| table.get(key).map(|item| text(item, &format!("{key} must be text"))).transpose();
    if let Some(item) = table.get("grant") {
        oauth.grant = item.choice("grant", &Grant::NAMED)?;
    }
    oauth.client_id = word("client_id")?;
    oauth.client_secret = word("client_secret")?;
    oauth.scopes =
        table.get("scopes").map(|item| item.texts("scopes must list texts")).transpose()?.unwrap_or_default();
    let has_both = oauth.client_id.is_some() && oauth.client_secret.is_some();
    match (table.get("client_secret"), table.get("grant")) {
        (Some(secret), _) if oauth.client_id.is_none() => Err(secret.refused("a secret belongs to a `client_id`")),
        (_, Some(grant)) if oauth.grant == Grant::ClientCredentials && !has_both => {
            Err(grant.refused("a client that gets tokens for itself has a `client_id` and a `client_secret`"))
        }
        _ => Ok(()),
    }
}

/// The servers, with the logins of the user who runs this process.
pub(crate) fn with_logins(mut servers: Vec<ServerSpec>) -> Vec<ServerSpec> {
    servers.iter_mut().for_each(|server| server.logins = user_logins());
    servers
}

/// What a server needs besides its command or address.
fn reach(spec: &mut ServerSpec, table: Section<'_>) -> Result<(), ConfigError> {
    let token_command = table.get("token_command");
    let mut token = match (table.get("token_file"), token_command) {
        (Some(_), Some(command)) => return Err(command.refused("a server has one token: remove this, or `token_file`")),
        (Some(file), None) => Some(Token::File(PathBuf::from(text(file, "token_file must be the name of a file")?))),
        (None, Some(command)) => Some(Token::Command(command_line(command)?)),
        (None, None) => None,
    };
    let env = table.get("env").map(environment).transpose()?;
    match (&mut spec.access, &mut token) {
        (Access::Command(line), _) => {
            ["headers", "token_file", "token_command", "oauth"].iter().try_for_each(|key| absent(table, key, "url"))?;
            line.env.extend(env.into_iter().flatten());
            if let Some(folder) = table.get("cwd") {
                line.folder = Some(text(folder, "cwd must be the name of a folder")?.into());
            }
        }
        (Access::Http { headers, .. }, token) => {
            absent(table, "cwd", "command")?;
            match token {
                Some(Token::Command(line)) => line.env.extend(env.into_iter().flatten()),
                _ => absent(table, "env", "command")?,
            }
            headers.extend(table.get("headers").map(texts_by_name).transpose()?.into_iter().flatten());
            let is_token = |(name, _): &(String, String)| name.eq_ignore_ascii_case("authorization");
            if let Some(item) = table.get("token_file").or(token_command).filter(|_| headers.iter().any(is_token)) {
                return Err(item.refused("a token is sent as the header Authorization, which `headers` has already"));
            }
        }
        _ => {}
    }
    spec.token = token.or(spec.token.take());
    table.get("oauth").map_or(Ok(()), |item| login(&mut spec.oauth, item))
}

/// Which tools of a server there are, and how it is used.
fn choose(spec: &mut ServerSpec, table: Section<'_>) -> Result<(), ConfigError> {
    let list =
        |key: &str| table.get(key).map(|item| item.texts(&format!("{key} must list names of tools"))).transpose();
    spec.allow = list("allow")?.or(spec.allow.take());
    spec.deny.extend(list("deny")?.unwrap_or_default());
    spec.approve.extend(list("approve")?.unwrap_or_default());
    if let Some(item) = table.get("results") {
        let kind = |item: Item<'_>| item.choice("results", &Results::NAMED);
        match item.section("results must be text or a table") {
            Err(_) => spec.results = kind(item)?,
            Ok(tools) => {
                let of = |(tool, _, item): (&str, _, Item<'_>)| Ok((tool.to_owned(), kind(item)?));
                spec.tool_results.extend(tools.entries().map(of).collect::<Result<Vec<_>, ConfigError>>()?);
            }
        }
    }
    spec.hidden.extend(table.get("hidden").map(tool::hidden).transpose()?.unwrap_or_default());
    if let Some(item) = table.get("required") {
        spec.required = item.bool("required must be true or false")?;
    }
    if let Some(item) = table.get("pin") {
        spec.pin = item.bool("pin must be true or false")?;
    }
    if let Some(limit) = table.get("timeout") {
        spec.timeout = limit.duration("timeout must be an integer above 0")?;
    }
    Ok(())
}

/// A command that is not installed takes away only its server, so it is not an error of the file.
fn warn_of_missing(
    name: &str,
    item: Item<'_>,
    line: &CommandLine,
    table: Section<'_>,
    source: &Source,
    problems: &mut Problems,
) {
    let command = line.executable.to_string_lossy();
    let has_path = table.get("env").and_then(|env| env.value.get_ref().as_table().map(|env| env.contains_key("PATH")));
    if command.contains("${") || table.get("cwd").is_some() || has_path == Some(true) {
        return;
    }
    if let Err(told) = find_executable(&command, &source.folder) {
        problems.warn("server", Some(item.place()), format!("mcp server `{name}`: {told}"));
    }
}

/// A command as it is written: it is looked for when the server is started.
fn command_line(item: Item<'_>) -> Result<CommandLine, ConfigError> {
    let rule = "command must list the command and its arguments as texts";
    let mut words = item.list(rule)?.map(|word| text(word, rule)).collect::<Result<Vec<_>, _>>()?.into_iter();
    let executable = words.next().ok_or_else(|| item.bad(rule))?;
    Ok(CommandLine { executable: executable.into(), args: words.collect(), folder: None, env: Vec::new() })
}

fn environment(item: Item<'_>) -> Result<Vec<(String, Option<String>)>, ConfigError> {
    let variables = tool::variables(item)?;
    let values = variables.iter().filter_map(|(_, value)| value.as_deref());
    values.map(|value| referring(item, value)).collect::<Result<Vec<_>, _>>()?;
    Ok(variables)
}

fn texts_by_name(item: Item<'_>) -> Result<Vec<(String, String)>, ConfigError> {
    let rule = "headers must be a map from names to texts";
    let header = |(name, _, value): (&str, _, Item<'_>)| Ok((name.to_owned(), text(value, rule)?));
    item.section(rule)?.entries().map(header).collect()
}

/// A text that may refer to variables and files.
fn text(item: Item<'_>, rule: &str) -> Result<String, ConfigError> {
    let text = item.text(rule)?;
    referring(item, text)?;
    Ok(text.to_owned())
}

fn referring(item: Item<'_>, text: &str) -> Result<(), ConfigError> {
    check_references(text).map_err(|error| item.refused(error.to_string()))
}

fn absent(table: Section<'_>, key: &str, owner: &str) -> Result<(), ConfigError> {
    table.get(key).map_or(Ok(()), |item| Err(item.refused(format!("{key} belongs to `{owner}`"))))
}

/// The servers of the file that `mcp_servers` names. They are connected once the user has trusted it: it may have come
/// with the folder.
pub(crate) fn imported(item: Item<'_>) -> Result<Imported, ConfigError> {
    let (path, text) = item.file()?;
    let imported = ServerSpec::import(&text, &path);
    let mut imported = imported.map_err(|error| item.refused(format!("{}: {error}", named(&path))))?;
    let is_trusted = TrustedFiles::of_user().is_some_and(|trusted| trusted.knows(&path, &text));
    for source in imported.servers.iter_mut().filter_map(|server| server.source.as_mut()) {
        source.is_trusted = is_trusted;
    }
    Ok(noted(imported, &path))
}
