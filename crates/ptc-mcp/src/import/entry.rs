//! One server of a file.

use std::path::PathBuf;

use ptc_lisp::text::{nearest, shortened};
use serde_json::{Map, Value as Json};

use crate::command::CommandLine;
use crate::expand;
use crate::spec::{Access, ONLY_UNDERSCORED, Results, ServerSpec};

/// What a key of a server is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It says how the server is reached, or which tools it has.
    Read,
    /// It says how a client shows or installs the server.
    Theirs,
    /// It would change what happens, but does not here: what to write instead.
    Not(&'static str),
}

const POLICY: &str = "policies decide which calls need approval: write `[policy.NAME]` with `decide = \"allow\"` in a \
                      gateway file that names this one as `mcp_servers`";
const TIMEOUT: &str = "clients count it in seconds or in milliseconds; write `timeout = \"60s\"` in `[mcp.NAME]`";
const LOGIN: &str = "log in with `ptc mcp login NAME`, for which `[mcp.NAME]` may have `oauth`, or give a token: in \
                     `headers`, or with `token_file` or `token_command` in `[mcp.NAME]`";

/// The keys of a server in the files of Claude Desktop, Claude Code, Cline, Copilot, Cursor, Gemini CLI, Kiro, Roo Code,
/// VS Code, Windsurf and Zed.
const KEYS: [(&str, Use); 45] = [
    ("command", Use::Read),
    ("args", Use::Read),
    ("env", Use::Read),
    ("cwd", Use::Read),
    ("url", Use::Read),
    ("httpUrl", Use::Read),
    ("serverUrl", Use::Read),
    ("headers", Use::Read),
    ("type", Use::Read),
    ("transport", Use::Read),
    ("transportType", Use::Read),
    ("disabled", Use::Read),
    ("enabled", Use::Read),
    ("isActive", Use::Read),
    ("hidden", Use::Read),
    ("results", Use::Read),
    ("tools", Use::Read),
    ("enabledTools", Use::Read),
    ("includeTools", Use::Read),
    ("disabledTools", Use::Read),
    ("excludeTools", Use::Read),
    ("alwaysAllow", Use::Not(POLICY)),
    ("autoApprove", Use::Not(POLICY)),
    ("trust", Use::Not(POLICY)),
    ("auth", Use::Not(LOGIN)),
    ("authProviderType", Use::Not(LOGIN)),
    ("authorization_token", Use::Not(LOGIN)),
    ("headersHelper", Use::Not(LOGIN)),
    ("oauth", Use::Not(LOGIN)),
    ("oauthScopes", Use::Not(LOGIN)),
    ("timeout", Use::Not(TIMEOUT)),
    ("envFile", Use::Not("write its variables under `env`, as `\"NAME\": \"${NAME}\"`, and set them before")),
    ("alwaysLoad", Use::Theirs),
    ("description", Use::Theirs),
    ("dev", Use::Theirs),
    ("extensionName", Use::Theirs),
    ("gallery", Use::Theirs),
    ("icon", Use::Theirs),
    ("id", Use::Theirs),
    ("name", Use::Theirs),
    ("note", Use::Theirs),
    ("settings", Use::Theirs),
    ("source", Use::Theirs),
    ("version", Use::Theirs),
    ("watchPaths", Use::Theirs),
];

/// Names of ways to reach a server.
const COMMANDS: [&str; 2] = ["stdio", "local"];
const ADDRESSES: [&str; 6] = ["http", "streamable-http", "streamableHttp", "streamable_http", "sse", "remote"];

/// A server of a file, as it is read.
pub(super) struct Entry<'a> {
    pub(super) name: &'a str,
    pub(super) keys: &'a Map<String, Json>,
    /// Keys that have no effect.
    pub(super) notes: Vec<String>,
}

impl Entry<'_> {
    /// The server, or why it is left out.
    pub(super) fn read(&mut self) -> Result<ServerSpec, String> {
        for (key, meaning) in [("disabled", true), ("enabled", false), ("isActive", false)] {
            if self.flag(key)? == Some(meaning) {
                return Err("it is disabled".to_owned());
            }
        }
        let mut spec = ServerSpec::new(self.name, self.access()?);
        for key in ["enabledTools", "includeTools", "tools"] {
            // Some clients write `["*"]` for all tools.
            if let Some(tools) = self.texts(key)?.filter(|tools| !tools.iter().any(|tool| tool == "*")) {
                spec.allow.get_or_insert_default().extend(tools);
            }
        }
        for key in ["disabledTools", "excludeTools"] {
            spec.deny.extend(self.texts(key)?.unwrap_or_default());
        }
        self.results(&mut spec)?;
        spec.hidden = self.texts("hidden")?.unwrap_or_default();
        if let Some(open) = spec.hidden.iter().find(|name| !name.starts_with('_')) {
            return Err(format!("`hidden` has `{}`: {ONLY_UNDERSCORED}", shortened(open, 60)));
        }
        self.note_unused();
        Ok(spec)
    }

    fn access(&mut self) -> Result<Access, String> {
        let kind = ["type", "transport", "transportType"].into_iter().find_map(|key| self.text(key).transpose());
        let kind = kind.transpose()?;
        let url = ["httpUrl", "serverUrl", "url"].into_iter().find_map(|key| self.text(key).transpose()).transpose()?;
        let has_command = self.keys.contains_key("command");
        let is_command = match kind.as_deref() {
            None if has_command && url.is_some() => {
                return Err("it has both `command` and `url`: remove one, or say which counts with `type`".to_owned());
            }
            None => has_command,
            Some(kind) if COMMANDS.contains(&kind) => true,
            Some(kind) if ADDRESSES.contains(&kind) => false,
            Some(other) => {
                let known = COMMANDS.iter().chain(&ADDRESSES).copied().collect::<Vec<_>>().join(", ");
                return Err(format!("its type `{}` is not known ({known})", shortened(other, 40)));
            }
        };
        match (is_command, url) {
            (true, _) if has_command => Ok(Access::Command(self.command()?)),
            (false, Some(url)) => Ok(Access::Http { url, headers: self.variables("headers")? }),
            (true, _) => Err("it has no `command`".to_owned()),
            (false, None) if kind.is_some() => Err("it has no `url`".to_owned()),
            (false, None) => Err("it has neither `command` nor `url`".to_owned()),
        }
    }

    /// A command is a text; an object in older files of Zed.
    fn command(&mut self) -> Result<CommandLine, String> {
        let nested = self.keys.get("command").and_then(Json::as_object);
        if let Some(keys) = nested {
            let mut inner = Entry { name: self.name, keys, notes: Vec::new() };
            let executable = inner.text("path")?.ok_or("its `command` has no `path`")?;
            let (args, env) = (inner.texts("args")?.unwrap_or_default(), inner.environment()?);
            return Ok(CommandLine { executable: executable.into(), args, folder: None, env });
        }
        let executable = self.text("command")?.filter(|command| !command.is_empty()).ok_or("its `command` is empty")?;
        let (args, env) = (self.texts("args")?.unwrap_or_default(), self.environment()?);
        Ok(CommandLine { executable: executable.into(), args, folder: self.text("cwd")?.map(PathBuf::from), env })
    }

    /// The variables of a command.
    fn environment(&mut self) -> Result<Vec<(String, Option<String>)>, String> {
        Ok(self.variables("env")?.into_iter().map(|(name, value)| (name, Some(value))).collect())
    }

    fn results(&self, spec: &mut ServerSpec) -> Result<(), String> {
        let kind = |found: &Json| {
            let known = Results::NAMED.iter().find(|(known, _)| found.as_str() == Some(*known));
            let found = found.as_str().map_or_else(|| quoted(found), |text| format!("`{}`", shortened(text, 40)));
            known.map(|(_, results)| *results).ok_or_else(|| format!("unknown results {found} (json, text)"))
        };
        match self.keys.get("results") {
            None => {}
            Some(Json::Object(tools)) => {
                for (tool, found) in tools {
                    spec.tool_results.push((tool.clone(), kind(found)?));
                }
            }
            Some(found) => spec.results = kind(found)?,
        }
        Ok(())
    }

    fn note_unused(&mut self) {
        let name = self.name;
        for (key, value) in self.keys {
            let use_of = KEYS.iter().find(|(known, _)| known == key).map(|(_, use_of)| *use_of);
            let is_off = matches!(value, Json::Null | Json::Bool(false)) || value.as_array().is_some_and(Vec::is_empty);
            let told = match use_of {
                Some(Use::Not(instead)) if !is_off => format!("`{key}` has no effect: {instead}"),
                Some(_) => continue,
                None => unknown(key),
            };
            self.notes.push(format!("server `{name}`: {told}"));
        }
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, String> {
        let Some(value) = self.keys.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| wrong(key, "true or false", value))
    }

    fn text(&self, key: &str) -> Result<Option<String>, String> {
        let Some(value) = self.keys.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        value.as_str().ok_or_else(|| wrong(key, "a text", value)).and_then(|text| checked(key, text)).map(Some)
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<String>>, String> {
        let Some(value) = self.keys.get(key).filter(|value| !value.is_null()) else { return Ok(None) };
        let items = value.as_array().ok_or_else(|| wrong(key, "a list of texts", value))?;
        let text = |item: &Json| {
            item.as_str().ok_or_else(|| wrong(key, "a list of texts", value)).and_then(|text| checked(key, text))
        };
        items.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// Names and texts; numbers and truth values are texts to a command, and `null` is nothing.
    fn variables(&mut self, key: &str) -> Result<Vec<(String, String)>, String> {
        let Some(value) = self.keys.get(key).filter(|value| !value.is_null()) else { return Ok(Vec::new()) };
        let entries = value.as_object().ok_or_else(|| wrong(key, "an object of texts", value))?;
        let mut texts = Vec::new();
        for (name, value) in entries {
            let text = match value {
                Json::Null => continue,
                Json::String(text) => checked(&format!("{key}.{name}"), text)?,
                Json::Number(_) | Json::Bool(_) => value.to_string(),
                _ => return Err(wrong(&format!("{key}.{name}"), "a text", value)),
            };
            if let Some(variable) = unbraced(&text) {
                let server = self.name;
                self.notes.push(format!("server `{server}`: `{key}.{name}` has ${variable}, which is a text here: write `${{{variable}}}` for the variable"));
            }
            texts.push((name.clone(), text));
        }
        Ok(texts)
    }
}

/// A text whose references can be read.
fn checked(key: &str, text: &str) -> Result<String, String> {
    expand::check_references(text).map_err(|error| format!("`{key}`: {error}"))?;
    Ok(text.to_owned())
}

/// The variable of a word `$NAME`, which some clients expand.
fn unbraced(text: &str) -> Option<&str> {
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    text.split(' ').filter_map(|word| word.strip_prefix('$')).find(is_name)
}

fn unknown(key: &str) -> String {
    let key = shortened(key, 60);
    match nearest(&key, KEYS.iter().map(|(known, _)| *known)) {
        Some(known) => format!("unknown key `{key}`; use `{known}`"),
        None => format!("unknown key `{key}` has no effect"),
    }
}

fn wrong(key: &str, what: &str, found: &Json) -> String {
    format!("`{key}` must be {what} (got {})", quoted(found))
}

/// A value of the wrong kind, without what may be a key.
fn quoted(found: &Json) -> String {
    match found {
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
        Json::String(_) => "a text".to_owned(),
        other => other.to_string(),
    }
}
