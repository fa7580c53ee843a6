//! The first line of a journal: the identity of a run.

use indexmap::IndexMap;
use ptc_chat::Message;
use ptc_lisp::signature::Signature;
use ptc_lisp::text::shortened;
use ptc_lisp::values::key_text;
use ptc_lisp::{CachedCall, Definitions, Map, Memory, ShownNames, ToolSpec, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Map as Object, Value as Json};

use super::{JOURNAL_VERSION, JournalError, fingerprint};
use crate::compression::CompressionRecord;
use crate::json::{
    CachedCallJson, DefinitionsJson, MemoryJson, ReadError, ToolSpecJson, ValueForm, json_of, read_definitions,
    write_definitions,
};

/// Characters quoted of a fingerprint.
const QUOTED: usize = 80;

/// Bytes of data, and of one entry, above which only a fingerprint of an entry is kept.
const MAX_DATA: usize = 8 << 20;
const MAX_ENTRY: usize = 64 << 10;

/// The value of [`JournalHeader::format`].
pub(super) const FORMAT: &str = "ptc-journal";

/// The mission of a run, and its starting point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// Always `ptc-journal`.
    pub format: String,
    /// Format version.
    pub version: u32,
    /// Id of the run, the first part of the ids of its calls.
    pub run: String,
    /// The label of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Fingerprint of mission, signature, turns and tools.
    pub mission_hash: String,
    /// Fingerprint of everything that the run starts with: see [`JournalStart`].
    pub data_hash: String,
    /// Seed of random numbers.
    pub seed: u64,
    /// The clock of programs at the start: microseconds since 1970.
    pub clock: i64,
    /// The mission as the agent has it.
    pub mission: String,
    /// Inputs and result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Work turns.
    pub max_turns: usize,
    /// Retry turns.
    #[serde(default)]
    pub retry_turns: usize,
    /// The tools that programs may call.
    #[serde(default)]
    pub tools: Vec<ToolSpecJson>,
    /// Other settings that decide the course of the run, needed to read a journal back as a step; absent in older
    /// journals.
    #[serde(default, skip_serializing_if = "Json::is_null")]
    pub settings: Json,
    /// How requests show the history; absent in older journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<CompressionRecord>,
    /// The input data, typed.
    pub data: Json,
    /// Fingerprints of the entries of the data that are too large to be kept; where they are, `data` says how large.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub data_left_out: IndexMap<String, String>,
    /// What else is known of the run, such as its mission file.
    #[serde(default, skip_serializing_if = "Object::is_empty")]
    pub notes: Object<String, Json>,
    /// What was defined before the run, as steps write it.
    #[serde(default, skip_serializing_if = "DefinitionsJson::is_empty")]
    pub definitions: DefinitionsJson,
    /// The names beginning with `_` that the model had seen before the run.
    #[serde(default, skip_serializing_if = "ShownNames::is_empty")]
    pub shown_names: ShownNames,
    /// Answers of cacheable tools that were known before the run, typed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_cache: Vec<CachedCallJson>,
    /// Tasks that were finished before the run, typed; absent if it keeps none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Vec<(String, Json)>>,
}

impl JournalHeader {
    /// The header of a run of this mission from this start, with run, agent, seed and clock not yet set.
    ///
    /// Errors when something in it cannot be written as JSON.
    pub fn new(about: &JournalSubject<'_>, start: &JournalStart<'_>) -> Result<JournalHeader, JournalError> {
        let data = json_of(&Value::Map(start.data.clone()), ValueForm::Typed);
        let typed = |(id, value): &(String, Value)| (id.clone(), json_of(value, ValueForm::Typed));
        let tasks: Option<Vec<_>> = start.tasks.map(|tasks| tasks.iter().map(typed).collect());
        let cached: Vec<_> = start.tool_cache.iter().map(|call| CachedCallJson::new(call, ValueForm::Typed)).collect();
        let definitions = start.definitions.map(|definitions| definitions.store().0);
        let mut header = JournalHeader {
            format: FORMAT.to_owned(),
            version: JOURNAL_VERSION,
            run: String::new(),
            agent: None,
            mission_hash: String::new(),
            data_hash: fingerprint(&(&data, &tasks, &cached, &definitions, start.said))?,
            seed: 0,
            clock: 0,
            mission: about.mission.to_owned(),
            signature: about.signature.map(ToString::to_string),
            max_turns: about.max_turns,
            retry_turns: about.retry_turns,
            tools: about.tools.iter().map(ToolSpecJson::new).collect(),
            settings: Json::Null,
            compression: None,
            data,
            data_left_out: IndexMap::new(),
            notes: Object::new(),
            definitions: start.definitions.map(|own| write_definitions(own, &MemoryJson::new())).unwrap_or_default(),
            shown_names: start.definitions.map(|own| own.shown_names().clone()).unwrap_or_default(),
            tool_cache: cached,
            tasks,
        };
        header.mission_hash = fingerprint(&(&header.mission, &header.signature, header.turns(), header.offered()))?;
        header.leave_out_large(start.data)?;
        Ok(header)
    }

    /// Keep only fingerprints of large entries of the data: many records of one file would fill a disk. A process
    /// that resumes the run has them; others are refused.
    fn leave_out_large(&mut self, data: &Map) -> Result<(), JournalError> {
        let bytes = |json: &Json| json.to_string().len();
        let names: Vec<String> = data.iter().map(|(key, _)| key_text(key)).collect();
        if bytes(&self.data) <= MAX_DATA {
            return Ok(());
        }
        let Json::Object(entries) = &mut self.data else { return Ok(()) };
        for name in names {
            let Some(entry) = entries.get_mut(&name) else { continue };
            let size = bytes(entry);
            if size > MAX_ENTRY {
                self.data_left_out.insert(name.clone(), fingerprint(entry)?);
                *entry =
                    json_of(&Value::Symbol(format!("#{name}: {} KB", size >> 10).as_str().into()), ValueForm::Typed);
            }
        }
        Ok(())
    }

    /// What was defined before the run.
    pub fn to_definitions(&self) -> Result<Definitions, ReadError> {
        read_definitions(&self.definitions, &Memory::default().with_shown_names(self.shown_names.clone()))
    }

    /// Whether a run with the header `now` may continue this journal; errors say what differs.
    pub fn allows(&self, now: &JournalHeader) -> Result<(), JournalError> {
        if self.mission_hash != now.mission_hash {
            let parts = [
                ("mission text", self.mission != now.mission),
                ("signature", self.signature != now.signature),
                ("number of turns", self.turns() != now.turns()),
                // The record of an engine has only their fingerprint.
                ("list of tools", self.offered() != now.offered() || self.tools.is_empty()),
            ];
            let part = parts.into_iter().find(|(_, differs)| *differs).map_or("fingerprint", |(part, _)| part);
            return Err(JournalError::OtherMission {
                part,
                recorded: shortened(&self.mission_hash, QUOTED).into_owned(),
                found: now.mission_hash.clone(),
            });
        }
        if self.data_hash != now.data_hash {
            let recorded = shortened(&self.data_hash, QUOTED).into_owned();
            let is_other =
                |(name, _): &(&String, &String)| self.data_left_out.get(*name) != now.data_left_out.get(*name);
            let names = self.data_left_out.iter().filter(is_other).map(|(name, _)| name.clone()).collect();
            return Err(JournalError::OtherData { names, recorded, found: now.data_hash.clone() });
        }
        Ok(())
    }

    fn turns(&self) -> (usize, usize) {
        (self.max_turns, self.retry_turns)
    }

    /// Only what the model sees of the tools: how they are called may change between crash and resume.
    fn offered(&self) -> Vec<(&String, &Option<String>, &Option<String>)> {
        self.tools.iter().map(|tool| (&tool.name, &tool.signature, &tool.description)).collect()
    }
}

/// The identity of a mission.
#[derive(Debug, Clone, Copy)]
pub struct JournalSubject<'a> {
    /// The mission as the agent has it.
    pub mission: &'a str,
    /// Inputs and result.
    pub signature: Option<&'a Signature>,
    /// Work turns.
    pub max_turns: usize,
    /// Retry turns.
    pub retry_turns: usize,
    /// The tools that programs may call.
    pub tools: &'a [ToolSpec],
}

/// What a run starts with. Resuming it needs the same; the journal itself has everything except the messages.
#[derive(Debug, Clone, Copy)]
pub struct JournalStart<'a> {
    /// The input data.
    pub data: &'a Map,
    /// Tasks that were finished before.
    pub tasks: Option<&'a [(String, Value)]>,
    /// Answers of cacheable tools that are already known.
    pub tool_cache: &'a [CachedCall],
    /// The definitions.
    pub definitions: Option<&'a Definitions>,
    /// The earlier messages of user and model.
    pub said: &'a [Message],
}

impl<'a> JournalStart<'a> {
    /// A start with this data and nothing else.
    #[must_use]
    pub fn new(data: &'a Map) -> JournalStart<'a> {
        JournalStart { data, tasks: None, tool_cache: &[], definitions: None, said: &[] }
    }
}
