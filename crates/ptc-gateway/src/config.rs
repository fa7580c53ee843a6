//! Gateway files: servers, tools, data, limits and policies in TOML, or an `mcpServers` file as other clients use it.

use std::path::{Path, PathBuf};

use ptc_config::{ConfigError, Document, Item, MissionFile, Section, read_text};
use ptc_mcp::Access;

use crate::audit::AuditedPrograms;
use crate::gateway::GatewayError;
use crate::pins::PinnedServers;
use crate::policy::Policy;
use crate::report::TOKENS;
use crate::session::LAST;
use crate::store::KeptSessions;

/// Keys that a gateway file shares with mission files.
const SHARED: [&str; 8] =
    ["mcp", "mcp_servers", "tools", "data", "timeout", "max_heap", "max_parallel_calls", "mission_timeout"];

/// Keys that only gateway files have.
const OWN: [&str; 13] = [
    "policy",
    "pin",
    "state",
    "redact",
    "audit_programs",
    "max_calls",
    "client_programs",
    "client_requests",
    "max_sessions",
    "keep_sessions",
    "keep_days",
    "keep_size",
    "result_tokens",
];

/// What the audit log can keep of programs.
const PROGRAMS: [(&str, AuditedPrograms); 2] = [("text", AuditedPrograms::Text), ("hash", AuditedPrograms::Hash)];

/// Default limit of the calls of a program.
const CALLS: u64 = 1_000;

/// Default limit of the programs of a client that run or wait.
const PROGRAMS_AT_ONCE: usize = 100;

/// Default limit of the requests of a client within a minute.
const REQUESTS: u32 = 10_000;

/// Default limit of the sessions of clients over HTTP.
const SESSIONS: usize = 500;

/// The minimum number of tokens of an answer.
const LEAST_TOKENS: u64 = 500;

/// What a gateway file says.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct GatewayFile {
    /// Servers, tools, data and limits.
    pub mission: MissionFile,
    /// Who may call what.
    pub policy: Policy,
    /// The servers whose new and changed tools ask first, until a person has reviewed them.
    pub pin: PinnedServers,
    /// Where sessions, journals and the audit log are kept.
    pub state: PathBuf,
    /// Names of arguments whose values the audit log and questions do not show.
    pub redact: Vec<String>,
    /// What the audit log keeps of the texts of programs.
    pub audit_programs: AuditedPrograms,
    /// Maximum number of calls of one program; further ones fail.
    pub max_calls: u64,
    /// Maximum number of programs of one client that run or wait.
    pub client_programs: usize,
    /// Maximum number of requests of one client over HTTP within a minute.
    pub client_requests: u32,
    /// Maximum number of MCP sessions that clients may have over HTTP.
    pub max_sessions: usize,
    /// What is kept of sessions that no program uses.
    pub keep: KeptSessions,
    /// Maximum tokens of an answer.
    pub result_tokens: usize,
}

impl GatewayFile {
    /// Read a gateway file: TOML, or servers as other MCP clients have them when its name ends in `.json` or `.jsonc`.
    ///
    /// Errors name file, line and column and say what to write instead.
    pub fn load(path: impl AsRef<Path>) -> Result<GatewayFile, GatewayError> {
        let path = path.as_ref();
        let text = read_text(path)?;
        if path
            .extension()
            .is_some_and(|extension| ["json", "jsonc"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
        {
            let mut file = GatewayFile::from_text(path, "")?;
            let added = file.mission.add_servers(path, &text);
            added.map_err(|source| GatewayError::Import { path: path.to_owned(), source })?;
            return Ok(located(file, path.parent().unwrap_or(Path::new(""))));
        }
        Ok(GatewayFile::from_text(path, &text)?)
    }

    /// Read `text` as if it were the file `path`.
    ///
    /// ```
    /// use ptc_gateway::GatewayFile;
    ///
    /// let text = "timeout = \"30s\"\n[mcp.files]\ncommand = [\"sh\", \"files.sh\"]\n[policy.writes]\ndecide = \"ask\"\ntool = \"write_*\"\n";
    /// let file = GatewayFile::from_text("gateway.toml", text)?;
    /// assert_eq!(file.mission.servers[0].name, "files");
    ///
    /// let mistake = GatewayFile::from_text("gateway.toml", "max_turns = 3\n").unwrap_err();
    /// assert!(mistake.to_string().starts_with("gateway.toml:1:1: unknown key `max_turns`"));
    /// # Ok::<(), ptc_config::ConfigError>(())
    /// ```
    pub fn from_text(path: impl AsRef<Path>, text: &str) -> Result<GatewayFile, ConfigError> {
        let document = Document::new(path.as_ref(), text);
        let parsed = document.parse()?;
        let folder = document.folder();
        Ok(located(read(document.section(&parsed), &folder)?, &folder))
    }
}

/// The same, where the policy has the folders that commands run in.
fn located(mut file: GatewayFile, folder: &Path) -> GatewayFile {
    let policy = std::mem::take(&mut file.policy).in_folder("", folder);
    file.policy = file.mission.servers.iter().fold(policy, |policy, server| match &server.access {
        Access::Command(line) => {
            let folder = server.source.as_ref().map(|source| source.folder.as_path()).unwrap_or(Path::new(""));
            policy.in_folder(&server.name, folder.join(line.folder.as_deref().unwrap_or(Path::new(""))))
        }
        // Nothing is known of the folders of another machine.
        _ => policy,
    });
    file
}

fn read(table: Section<'_>, folder: &Path) -> Result<GatewayFile, ConfigError> {
    let known: Vec<&str> = SHARED.iter().chain(&OWN).copied().collect();
    table.only("", &known)?;
    let mission = MissionFile::tools_from_section(table, &OWN)?;
    if let Some(item) = table.get("data").filter(|_| mission.data.contains_key(LAST)) {
        return Err(
            item.refused("data cannot have an entry `last`: programs read the value of the program before there")
        );
    }
    let texts = |item: Item<'_>| item.texts("redact must list names of arguments");
    let programs = |item: Item<'_>| item.choice("audit_programs", &PROGRAMS);
    let tokens = |item: Item<'_>| item.small(LEAST_TOKENS, "result_tokens must be an integer of at least 500");
    let calls = |item: Item<'_>| item.count(0, "max_calls must be an integer, 0 or more");
    let sessions = |item: Item<'_>| item.small(1, "max_sessions must be an integer, 1 or more");
    let programs_at_once = |item: Item<'_>| item.small(1, "client_programs must be an integer, 1 or more");
    let requests = |item: Item<'_>| item.small(1, "client_requests must be an integer, 1 or more");
    let state = table.get("state").map(|item| item.text("state must be the name of a folder")).transpose()?;
    let pin = pinned(&table, &mission)?;
    Ok(GatewayFile {
        mission,
        pin,
        policy: table.get("policy").map(Policy::read).transpose()?.unwrap_or_default(),
        state: state.map_or_else(|| folder.join(".ptc").join("mcp"), |state| folder.join(state)),
        redact: table.get("redact").map(texts).transpose()?.unwrap_or_default(),
        audit_programs: table.get("audit_programs").map(programs).transpose()?.unwrap_or_default(),
        max_calls: table.get("max_calls").map(calls).transpose()?.unwrap_or(CALLS),
        max_sessions: table.get("max_sessions").map(sessions).transpose()?.map_or(SESSIONS, |most| most as usize),
        client_programs: table
            .get("client_programs")
            .map(programs_at_once)
            .transpose()?
            .map_or(PROGRAMS_AT_ONCE, |most| most as usize),
        client_requests: table.get("client_requests").map(requests).transpose()?.unwrap_or(REQUESTS),
        keep: kept(&table)?,
        result_tokens: table.get("result_tokens").map(tokens).transpose()?.map_or(TOKENS, |tokens| tokens as usize),
    })
}

fn kept(table: &Section<'_>) -> Result<KeptSessions, ConfigError> {
    let usual = KeptSessions::default();
    let sessions = |item: Item<'_>| item.small(1, "keep_sessions must be an integer, 1 or more");
    let days = |item: Item<'_>| item.small(1, "keep_days must be an integer, 1 or more");
    let size = |item: Item<'_>| item.bytes("keep_size must be a size, such as \"1GB\"");
    Ok(KeptSessions {
        sessions: table.get("keep_sessions").map(sessions).transpose()?.map_or(usual.sessions, |most| most as usize),
        days: table.get("keep_days").map(days).transpose()?.unwrap_or(usual.days),
        bytes: table.get("keep_size").map(size).transpose()?.unwrap_or(usual.bytes),
    })
}

/// Those of all servers, or of those whose table says so.
fn pinned(table: &Section<'_>, mission: &MissionFile) -> Result<PinnedServers, ConfigError> {
    let all = table.get("pin").map(|item| item.bool("pin must be true or false; for one server write it in its table"));
    if all.transpose()? == Some(true) {
        return Ok(PinnedServers::All);
    }
    let named: Vec<String> =
        mission.servers.iter().filter(|server| server.pin).map(|server| server.name.clone()).collect();
    Ok(if named.is_empty() { PinnedServers::None } else { PinnedServers::Named(named) })
}
