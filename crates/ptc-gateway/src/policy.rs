//! Who may call what: rules over clients, servers, tools, annotations and arguments.

use std::collections::HashMap;
use std::path::Path;

use ptc_config::{ConfigError, Item, Section};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::offer::OfferedTool;
use argument::Argument;
use spelling::Folder;

mod argument;
mod spelling;
#[cfg(test)]
mod tests;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyAction {
    /// It is made.
    Allow,
    /// It needs approval.
    Ask,
    /// It is not made.
    Deny,
}

impl PolicyAction {
    /// The name used in policies and records: `allow`, `ask`, `deny`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            PolicyAction::Allow => "allow",
            PolicyAction::Ask => "ask",
            PolicyAction::Deny => "deny",
        }
    }
}

/// The rules of a gateway; the first match decides. Without a match, tools that only read are allowed and others are
/// asked about.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    rules: Vec<Rule>,
    /// Where relative paths of servers begin, by their names.
    folders: HashMap<String, Folder>,
}

#[derive(Debug, Clone)]
struct Rule {
    name: String,
    ruling: PolicyAction,
    client: ForClient,
    server: Option<Pattern>,
    tool: Option<Pattern>,
    annotation: Option<Annotation>,
    /// Arguments by name, all of which must match.
    args: Vec<Argument>,
}

/// For which clients a rule is.
#[derive(Debug, Clone)]
enum ForClient {
    /// All, or once the client is known, those that it is about.
    Any,
    Named(Pattern),
    /// Those of a name, where the client could have it: then later rules make a ruling only stricter.
    Perhaps,
}

/// The rules that hold for a client, by their places.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Holding {
    rules: Vec<usize>,
    /// Whether the client has a name.
    is_known: bool,
}

/// A tool's annotations, as rules name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Annotation {
    ReadOnly,
    Destructive,
    Idempotent,
    OpenWorld,
}

const ANNOTATIONS: [(&str, Annotation); 4] = [
    ("read_only", Annotation::ReadOnly),
    ("destructive", Annotation::Destructive),
    ("idempotent", Annotation::Idempotent),
    ("open_world", Annotation::OpenWorld),
];

const RULINGS: [(&str, PolicyAction); 3] =
    [("allow", PolicyAction::Allow), ("ask", PolicyAction::Ask), ("deny", PolicyAction::Deny)];

/// Keys of a rule.
const KEYS: [&str; 6] = ["decide", "client", "server", "tool", "annotation", "args"];

/// A text with `*` for any characters.
#[derive(Debug, Clone)]
struct Pattern(Regex);

/// The ruling on a call, and its rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyDecision {
    /// What happens to it.
    pub ruling: PolicyAction,
    /// The name of the rule; `None` when none matches.
    pub rule: Option<String>,
}

/// The rulings on a tool before its arguments are known: the range of possible ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyRange {
    /// The mildest ruling that a call may get.
    pub least: PolicyAction,
    /// The strictest one.
    pub most: PolicyAction,
    /// Whether it depends on the client.
    pub by_client: bool,
}

impl Policy {
    /// The rules of `[policy.NAME]` tables, in the order of the file.
    ///
    /// ```
    /// use ptc_config::Document;
    /// use ptc_gateway::Policy;
    ///
    /// let text = "[policy.no-deletes]\ndecide = \"deny\"\ntool = \"delete_*\"\n";
    /// let document = Document::new("gateway.toml", text);
    /// let parsed = document.parse()?;
    /// assert!(Policy::read(document.section(&parsed).get("policy").unwrap()).is_ok());
    /// # Ok::<(), ptc_config::ConfigError>(())
    /// ```
    pub fn read(policy: Item<'_>) -> Result<Policy, ConfigError> {
        let table = policy.section("policy must hold rules: write `[policy.NAME]`")?;
        let rules = table.entries().map(|(name, _, item)| rule(name, item)).collect::<Result<_, _>>()?;
        Ok(Policy { rules, folders: HashMap::new() })
    }

    /// The same, where relative paths that tools of this server are called with begin in this folder; the tools of the
    /// gateway file are those of a server without a name. The links in them are followed, and must be those of this
    /// machine.
    #[must_use]
    pub fn in_folder(mut self, server: impl Into<String>, folder: impl AsRef<Path>) -> Policy {
        self.folders.insert(server.into(), Folder::new(folder.as_ref()));
        self
    }

    /// The rules that may hold for a client: those that name it or no client. One without a name could be any:
    /// rules that name clients hold for it unless they allow something. `None` when no rule names clients, so that all
    /// have the same.
    pub(crate) fn holding(&self, client: Option<&str>) -> Option<Holding> {
        let names_clients = |rule: &Rule| matches!(rule.client, ForClient::Named(_));
        let holds = |rule: &Rule| match (&rule.client, client) {
            (ForClient::Named(form), Some(name)) => form.fits(name),
            (ForClient::Named(_), None) => rule.ruling != PolicyAction::Allow,
            _ => true,
        };
        let rules = || (0..).zip(&self.rules).filter(|(_, rule)| holds(rule)).map(|(at, _)| at).collect();
        self.rules.iter().any(names_clients).then(|| Holding { rules: rules(), is_known: client.is_some() })
    }

    /// The policy of clients for which these rules hold.
    #[must_use]
    pub(crate) fn of(&self, holding: &Holding) -> Policy {
        let of_rule = |rule: &Rule| {
            let is_sure = holding.is_known || matches!(rule.client, ForClient::Any);
            Rule { client: if is_sure { ForClient::Any } else { ForClient::Perhaps }, ..rule.clone() }
        };
        let rules = holding.rules.iter().filter_map(|at| self.rules.get(*at)).map(of_rule);
        Policy { rules: rules.collect(), folders: self.folders.clone() }
    }

    /// The names of rules about clients none of which has one of these names.
    pub(crate) fn about_none_of(&self, clients: &[&str]) -> Vec<String> {
        let misses = |rule: &&Rule| match &rule.client {
            ForClient::Named(form) => !clients.iter().any(|client| form.fits(client)),
            _ => false,
        };
        self.rules.iter().filter(misses).map(|rule| rule.name.clone()).collect()
    }

    /// The ruling on a call with these arguments by a client that could be any: rules that name clients make it stricter.
    #[must_use]
    pub fn verdict(&self, offer: &OfferedTool, args: &Json) -> PolicyDecision {
        let unknown = Folder::unknown();
        let folder = self.folders.get(&offer.said.server).unwrap_or(&unknown);
        let fits = |rule: &&Rule| rule.is_about(offer) && rule.args.iter().all(|wanted| wanted.fits(args, folder));
        let mut strictest = PolicyDecision { ruling: PolicyAction::Allow, rule: None };
        for rule in self.rules.iter().filter(fits) {
            if rule.ruling > strictest.ruling || !rule.is_perhaps() && rule.ruling == strictest.ruling {
                strictest = PolicyDecision { ruling: rule.ruling, rule: Some(rule.name.clone()) };
            }
            if !rule.is_perhaps() {
                strictest.ruling = strictest.ruling.max(floor(offer));
                return strictest;
            }
        }
        let usual = usual(offer);
        if strictest.ruling > usual { strictest } else { PolicyDecision { ruling: usual, rule: None } }
    }

    /// The possible rulings on calls of this tool, whatever their arguments and clients.
    #[must_use]
    pub fn standing(&self, offer: &OfferedTool) -> PolicyRange {
        let (mut least, mut most) = (PolicyAction::Deny, PolicyAction::Allow);
        // What no later rule makes milder, for any arguments and for some.
        let (mut always, mut sometimes) = (floor(offer), floor(offer));
        let mut by_client = false;
        let mut is_decided = false;
        for rule in self.rules.iter().filter(|rule| rule.is_about(offer)) {
            if let ForClient::Perhaps = rule.client {
                sometimes = sometimes.max(rule.ruling);
                always = if rule.args.is_empty() { always.max(rule.ruling) } else { always };
                continue;
            }
            (least, most) = (least.min(rule.ruling.max(always)), most.max(rule.ruling.max(sometimes)));
            let is_named = matches!(rule.client, ForClient::Named(_));
            by_client |= is_named;
            // The first rule without conditions is the last one that can decide.
            is_decided = rule.args.is_empty() && !is_named;
            if is_decided {
                break;
            }
        }
        if !is_decided {
            (least, most) = (least.min(usual(offer).max(always)), most.max(usual(offer).max(sometimes)));
        }
        PolicyRange { least, most, by_client: by_client && least < most }
    }

    /// The names of rules that apply to none of these tools: misspelt ones protect nothing.
    #[must_use]
    pub fn idle<'o>(&self, offers: impl Iterator<Item = &'o OfferedTool> + Clone) -> Vec<&str> {
        let is_idle = |rule: &&Rule| !offers.clone().any(|offer| rule.is_about(offer));
        self.rules.iter().filter(is_idle).map(|rule| rule.name.as_str()).collect()
    }
}

/// The ruling on calls that no rule is about.
fn usual(offer: &OfferedTool) -> PolicyAction {
    if offer.said.read_only { floor(offer) } else { PolicyAction::Ask }
}

/// The minimum that no rule relaxes: `approve` of the server's own table requires approval of each call, and so does a
/// tool that was not reviewed as it is.
fn floor(offer: &OfferedTool) -> PolicyAction {
    if offer.spec.approve || offer.unreviewed.is_some() { PolicyAction::Ask } else { PolicyAction::Allow }
}

impl Rule {
    /// Whether it may hold, and later rules, too.
    fn is_perhaps(&self) -> bool {
        !matches!(self.client, ForClient::Any)
    }

    fn is_about(&self, offer: &OfferedTool) -> bool {
        let fits = |form: &Option<Pattern>, text: &str| form.as_ref().is_none_or(|form| form.fits(text));
        let is_marked = |annotation: Annotation| match annotation {
            Annotation::ReadOnly => offer.said.read_only,
            Annotation::Destructive => offer.said.destructive,
            Annotation::Idempotent => offer.said.idempotent,
            Annotation::OpenWorld => offer.said.open_world,
        };
        fits(&self.server, &offer.said.server)
            && fits(&self.tool, &offer.said.tool)
            && self.annotation.is_none_or(is_marked)
    }
}

impl Pattern {
    fn fits(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

fn rule(name: &str, item: Item<'_>) -> Result<Rule, ConfigError> {
    let table = item.section(&format!("policy `{name}` must be a table: write `[policy.{name}]`"))?;
    table.only(&format!("policy `{name}`"), &KEYS)?;
    let decide =
        table.get("decide").ok_or_else(|| item.refused("a rule needs `decide`: \"allow\", \"ask\" or \"deny\""))?;
    let given = |key: &str| {
        table.get(key).map(|item| pattern(item, &format!("{key} must be text; `*` stands for anything"))).transpose()
    };
    let annotation = table.get("annotation").map(|item| item.choice("annotation", &ANNOTATIONS)).transpose()?;
    let args =
        table.get("args").map(|item| item.section("args must be a table from arguments to patterns")).transpose()?;
    let ruling = decide.choice("decision", &RULINGS)?;
    let allows = ruling == PolicyAction::Allow;
    let argument = |(name, _, item): (&str, _, Item<'_>)| Argument::read(name, item, allows);
    Ok(Rule {
        name: name.to_owned(),
        ruling,
        client: given("client")?.map_or(ForClient::Any, ForClient::Named),
        server: given("server")?,
        tool: given("tool")?,
        annotation,
        args: args.iter().flat_map(Section::entries).map(argument).collect::<Result<_, _>>()?,
    })
}

fn pattern(item: Item<'_>, rule: &str) -> Result<Pattern, ConfigError> {
    argument::compiled(item.text(rule)?, false, false).map(Pattern).map_err(|problem| item.refused(problem))
}
