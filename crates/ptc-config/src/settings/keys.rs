//! The keys of settings: one row each, for the reader, for `ptc config` and for the page.

use serde_json::{Value as Json, json};

use super::{ApproveSetting, Given, Settings, Shown, Whose};
use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::mission::{Keep, kept_runs};
use crate::place::{Place, named};

/// Where a key may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowed {
    /// In the user's own file and in `ptc.toml`.
    Both,
    /// In the user's own file only.
    User,
    /// In both, but `ptc.toml` may only make it stricter.
    Stricter,
}

/// A key of settings.
#[derive(Debug, Clone, Copy)]
pub struct SettingKey {
    /// The key.
    pub name: &'static str,
    /// Its values, for people.
    pub values: &'static str,
    /// Where it may be written.
    pub allowed: Allowed,
    /// The option of commands that wins over it.
    pub option: &'static str,
    /// What it is.
    pub doc: &'static str,
    default: fn() -> Json,
    read: fn(Item<'_>, &mut Settings) -> Result<(), ConfigError>,
    shown: for<'s> fn(&'s Settings) -> Shown<'s>,
}

pub(super) const KEYS: [SettingKey; 5] = [
    SettingKey {
        name: "model",
        values: "text: `PROVIDER:MODEL`, `URL#MODEL`",
        allowed: Allowed::User,
        option: "--llm",
        doc: "The model of missions that name none, after `--llm`, `llm` and `replay` of the mission, and the environment variable `PTC_LLM`.",
        default: || Json::Null,
        read: |item, settings| given(item, filled(item, MODEL)?, &mut settings.model),
        shown: |settings| shown(&settings.model, |model| json!(model)),
    },
    SettingKey {
        name: "prices",
        values: "text: the name of a file, a model of the built-in list, or numbers",
        allowed: Allowed::Both,
        option: "--prices",
        doc: "What tokens cost, as `--prices` takes it. The name of a file starts from the folder of the settings.",
        default: || Json::Null,
        read: |item, settings| given(item, filled(item, PRICES)?, &mut settings.prices),
        shown: |settings| shown(&settings.prices, |prices| json!(prices)),
    },
    SettingKey {
        name: "keep",
        values: "integer, 1 or more, or `\"all\"`",
        allowed: Allowed::Both,
        option: "--keep",
        doc: "Number of runs that `ptc run` keeps in `.ptc/runs`, unless the mission has a `keep`.",
        default: || json!(Keep::default()),
        read: |item, settings| given(item, kept_runs(item)?, &mut settings.keep),
        shown: |settings| shown(&settings.keep, |keep| json!(keep)),
    },
    SettingKey {
        name: "jobs",
        values: "integer, 1 or more",
        allowed: Allowed::Both,
        option: "--jobs",
        doc: "Maximum number of concurrent runs of a batch or an evaluation; by default 8 of a batch, 1 of an evaluation.",
        default: || Json::Null,
        read: |item, settings| {
            given(item, item.small(1, "jobs must be a number of runs, 1 or more")?, &mut settings.jobs)
        },
        shown: |settings| shown(&settings.jobs, |jobs| json!(jobs)),
    },
    SettingKey {
        name: "approve",
        values: "`\"all\"`, `\"ask\"`, `\"none\"`",
        allowed: Allowed::Stricter,
        option: "--approve",
        doc: "What to do with calls that need approval: approve all, prompt on the terminal, or deny all. The order is from loose to strict.",
        default: || json!(ApproveSetting::default()),
        read: |item, settings| given(item, item.choice("value of approve", &APPROVE)?, &mut settings.approve),
        shown: |settings| shown(&settings.approve, |approve| json!(approve)),
    },
];

const MODEL: &str = "model must be the name of a model, such as \"ollama:qwen3\"";
const PRICES: &str =
    "prices must be a text: a file with prices, a model of the built-in list, or \"input=3,output=15\"";
const APPROVE: [(&str, ApproveSetting); 3] = [
    (ApproveSetting::All.as_str(), ApproveSetting::All),
    (ApproveSetting::Ask.as_str(), ApproveSetting::Ask),
    (ApproveSetting::None.as_str(), ApproveSetting::None),
];

/// Keys of other files that say where requests, with keys and data, go.
const ADDRESSES: [&str; 6] = ["llm", "replay", "url", "base_url", "token_file", "token_command"];

impl SettingKey {
    /// The value that holds, and where it is written; none for one that no file has.
    #[must_use]
    pub fn shown<'s>(&self, settings: &'s Settings) -> (Json, Option<&'s Place>) {
        match (self.shown)(settings) {
            Some((value, place)) => (value, Some(place)),
            None => ((self.default)(), None),
        }
    }

    pub(super) fn read(&self, item: Item<'_>, settings: &mut Settings) -> Result<(), ConfigError> {
        (self.read)(item, settings)
    }
}

/// The key of this name, if it may be in this file.
pub(super) fn check(
    name: &str,
    place: Box<Place>,
    whose: &Whose<'_>,
    table: Section<'_>,
) -> Result<&'static SettingKey, ConfigError> {
    let key = KEYS.iter().find(|key| key.name == name);
    if let Whose::Project(own) = whose
        && (ADDRESSES.contains(&name) || key.is_some_and(|key| key.allowed == Allowed::User))
    {
        let own = own.map_or_else(|| "your own file of settings".to_owned(), named);
        return Err(ConfigError::NotOfProject { place, key: name.to_owned(), own });
    }
    key.ok_or_else(|| {
        let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        let unknown = table.unknown("the settings", &known).find(|error| error.place() == Some(&*place));
        unknown.unwrap_or_else(|| ConfigError::refused(place, format!("unknown key `{name}` in the settings")))
    })
}

fn given<T>(item: Item<'_>, value: T, slot: &mut Option<Given<T>>) -> Result<(), ConfigError> {
    *slot = Some(Given { value, place: item.place() });
    Ok(())
}

/// A text that is not empty.
fn filled(item: Item<'_>, rule: &str) -> Result<String, ConfigError> {
    let text = item.text(rule)?.trim();
    if text.is_empty() { Err(item.bad(rule)) } else { Ok(text.to_owned()) }
}

fn shown<T>(given: &Option<Given<T>>, value: impl FnOnce(&T) -> Json) -> Shown<'_> {
    given.as_ref().map(|given| (value(&given.value), &*given.place))
}
