//! The table of forbidden names.

use super::names::{Named, Place};

/// One forbidden use of some names.
#[derive(Debug)]
pub(super) struct Rule {
    /// The decision or requirement that it follows from.
    pub(super) id: &'static str,
    names: Names,
    places: &'static [Place],
    /// Types that the name belongs to; empty means any.
    owners: &'static [&'static str],
    /// Crates that the rule is about; empty means all.
    crates: &'static [&'static str],
    /// What to write, with backticks.
    pub(super) instead: &'static str,
}

#[derive(Debug)]
enum Names {
    /// Exactly these.
    Are(&'static [&'static str]),
    /// Names that contain this word, except for the allowed names.
    Contain(&'static str, &'static [&'static str]),
}

impl Rule {
    /// Whether the rule forbids this name in this crate.
    pub(super) fn forbids(&self, named: &Named, package: &str) -> bool {
        self.places.contains(&named.place)
            && self.names.cover(&named.name)
            && (self.owners.is_empty() || self.owners.contains(&named.owner.as_str()))
            && (self.crates.is_empty() || self.crates.contains(&package))
    }
}

impl Names {
    fn cover(&self, name: &str) -> bool {
        match self {
            Self::Are(names) => names.contains(&name),
            Self::Contain(word, allowed) => !allowed.contains(&name) && name.split('_').any(|part| part == *word),
        }
    }
}

use Place::{Field, Flag, Function, Key, Macro, Module, Type};

/// Types in which an agent is described.
const AGENT: &[&str] = &["Agent", "AgentBuilder", "AgentSpec", "MissionFile", "RunOptions"];
const STEP: &[&str] = &["Step", "StepJson"];
const TRACE_OPTIONS: &[&str] = &["PrintTrace", "PrintTraceOptions", "TraceOptions", "DebugOptions"];
/// Names with `prompt` in them that mean the system text or the limit on it.
const SYSTEM_PROMPT: &[&str] = &["system_prompt", "system_prompt_tokens", "preview_prompt", "prompt_limit"];
/// Crates that show missions and steps to the outside.
const AGENT_CRATES: &[&str] = &["ptc-transcript", "ptc-agent", "ptc-config", "ptc-cli", ""];

/// All rules. The first match is reported.
pub(super) const RULES: &[Rule] = &[
    Rule {
        id: "BRK-001, CLN-007",
        names: Names::Contain("prompt", SYSTEM_PROMPT),
        places: &[Field, Function],
        owners: AGENT,
        crates: &[],
        instead: "`mission`",
    },
    Rule {
        id: "BRK-001, CLN-011",
        names: Names::Are(&["prompt"]),
        places: &[Key],
        owners: &[],
        crates: AGENT_CRATES,
        instead: "`mission`",
    },
    Rule {
        id: "BRK-001",
        names: Names::Are(&["prompt"]),
        places: &[Flag],
        owners: &[],
        crates: &[],
        instead: "a mission file",
    },
    Rule {
        id: "BRK-002, CLN-001",
        names: Names::Are(&["trace"]),
        places: &[Field, Function],
        owners: STEP,
        crates: &[],
        instead: "`turns`",
    },
    Rule {
        id: "CLN-012",
        names: Names::Are(&["history"]),
        places: &[Field, Function],
        owners: STEP,
        crates: &[],
        instead: "`turns`",
    },
    Rule {
        id: "BRK-002",
        names: Names::Are(&["trace"]),
        places: &[Key],
        owners: &[],
        crates: AGENT_CRATES,
        instead: "`turns`, or `keep_turns` for the run option",
    },
    Rule {
        id: "A-44",
        names: Names::Are(&["trace"]),
        places: &[Field, Function],
        owners: AGENT,
        crates: &[],
        instead: "`keep_turns`",
    },
    Rule {
        id: "BRK-003, CLN-002",
        names: Names::Are(&["Prompt"]),
        places: &[Type],
        owners: &[],
        crates: &[],
        instead: "`Template`",
    },
    Rule {
        id: "BRK-004, CLN-003",
        names: Names::Are(&["prompt"]),
        places: &[Macro],
        owners: &[],
        crates: &[],
        instead: "`t!`",
    },
    Rule {
        id: "BRK-005, CLN-004",
        names: Names::Are(&["prompt"]),
        places: &[Module],
        owners: &[],
        crates: &["ptc-agent", "ptc-mission"],
        instead: "`system_prompt`",
    },
    Rule {
        id: "BRK-006, CLN-005",
        names: Names::Are(&["template"]),
        places: &[Module],
        owners: &[],
        crates: &["ptc-agent"],
        instead: "`MissionExpander` of ptc-mission",
    },
    Rule {
        id: "BRK-007, CLN-006",
        names: Names::Are(&["Prompts"]),
        places: &[Type],
        owners: &[],
        crates: &[],
        instead: "`LanguageSpec`",
    },
    Rule {
        id: "BRK-008, CLN-008",
        names: Names::Are(&["debug"]),
        places: &[Field, Function],
        owners: AGENT,
        crates: &[],
        instead: "nothing: raw answers are always kept",
    },
    Rule {
        id: "BRK-008, CLN-008",
        names: Names::Are(&["debug"]),
        places: &[Key],
        owners: &[],
        crates: AGENT_CRATES,
        instead: "nothing: raw answers are always kept",
    },
    Rule {
        id: "BRK-008, CLN-008",
        names: Names::Are(&["debug"]),
        places: &[Flag],
        owners: &[],
        crates: &[],
        instead: "`--raw`",
    },
    Rule {
        id: "BRK-009, CLN-009, CLN-010",
        names: Names::Are(&["messages", "system"]),
        places: &[Field, Function],
        owners: TRACE_OPTIONS,
        crates: &[],
        instead: "`view`, `raw` or `usage`",
    },
    Rule {
        id: "A-44",
        names: Names::Are(&["compress_history", "compress-history"]),
        places: &[Type, Field, Function, Module, Macro, Key, Flag],
        owners: &[],
        crates: &[],
        instead: "`compression`",
    },
    Rule {
        id: "one name for agents",
        names: Names::Are(&["SubAgent", "SubAgentBuilder"]),
        places: &[Type],
        owners: &[],
        crates: &[],
        instead: "`Agent`",
    },
];
