//! What a gateway has done since it started, counted from the lines of its audit log, as OpenMetrics text.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::audit::{AuditDecision, AuditEvent, AuditStatus};
use crate::policy::PolicyAction;

/// The media type of the text.
pub(crate) const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counts by server and outcome, and times.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    programs: BTreeMap<&'static str, u64>,
    program_times: Times,
    rejected: u64,
    /// By server and outcome.
    calls: BTreeMap<(String, &'static str), u64>,
    call_times: BTreeMap<String, Times>,
    /// Calls that rules or people refused, by server.
    refused: BTreeMap<String, u64>,
    /// Decisions of people.
    approvals: BTreeMap<&'static str, u64>,
    /// The servers of calls that have not ended.
    open: HashMap<String, String>,
}

/// How many, and how long all of them took.
#[derive(Debug, Default, Clone, Copy)]
struct Times {
    count: u64,
    ms: u64,
}

impl Times {
    fn add(&mut self, ms: Option<u64>) {
        if let Some(ms) = ms {
            self.count += 1;
            self.ms = self.ms.saturating_add(ms);
        }
    }
}

impl Metrics {
    /// Count what happens.
    pub fn note(&mut self, event: &AuditEvent) {
        match event {
            AuditEvent::Rejected { .. } => self.rejected += 1,
            AuditEvent::Call(call) => {
                let server = call.server.clone().unwrap_or_default();
                if call.ruling == PolicyAction::Ask {
                    *self.approvals.entry("approve").or_default() += 1;
                }
                self.open.insert(call.id.clone(), server);
            }
            AuditEvent::Refused(call) => {
                if call.ruling == PolicyAction::Ask && call.decision == AuditDecision::Deny {
                    *self.approvals.entry("deny").or_default() += 1;
                }
                *self.refused.entry(call.server.clone().unwrap_or_default()).or_default() += 1;
            }
            AuditEvent::Result { id, status, ms, .. } => {
                // One of a process before this one.
                let Some(server) = self.open.remove(id) else { return };
                let outcome = match status {
                    AuditStatus::Ok => "ok",
                    AuditStatus::Failed => "failed",
                    AuditStatus::Unknown => "unknown",
                };
                self.call_times.entry(server.clone()).or_default().add(*ms);
                *self.calls.entry((server, outcome)).or_default() += 1;
            }
            AuditEvent::End { status, ms, .. } => {
                *self.programs.entry(status.as_str()).or_default() += 1;
                self.program_times.add(*ms);
            }
            _ => {}
        }
    }

    /// The counts, and what is the case now.
    pub fn text(&self, now: &Now) -> String {
        let mut text = Text::default();
        text.family("ptc_programs", "counter", "Programs that ended, by how they ended.");
        self.programs
            .iter()
            .for_each(|(outcome, count)| text.count("ptc_programs_total", &[("outcome", outcome)], *count));
        text.family("ptc_programs_rejected", "counter", "Programs that did not run, since the check refused them.");
        text.count("ptc_programs_rejected_total", &[], self.rejected);
        text.family("ptc_program_seconds", "summary", "How long programs took.");
        text.times("ptc_program_seconds", &[], self.program_times);
        text.family("ptc_calls", "counter", "Calls of tools that ended, by server and outcome.");
        for ((server, outcome), count) in &self.calls {
            text.count("ptc_calls_total", &[("server", server), ("outcome", outcome)], *count);
        }
        text.family("ptc_call_seconds", "summary", "How long calls took, by server.");
        self.call_times
            .iter()
            .for_each(|(server, times)| text.times("ptc_call_seconds", &[("server", server)], *times));
        text.family("ptc_calls_refused", "counter", "Calls that rules or people refused, by server.");
        self.refused
            .iter()
            .for_each(|(server, count)| text.count("ptc_calls_refused_total", &[("server", server)], *count));
        text.family("ptc_approvals", "counter", "Calls that people decided about, by decision.");
        for (decision, count) in &self.approvals {
            text.count("ptc_approvals_total", &[("decision", decision)], *count);
        }
        text.family("ptc_programs_running", "gauge", "Programs that run or wait now.");
        text.count("ptc_programs_running", &[], now.running as u64);
        text.family("ptc_server_up", "gauge", "Whether a server can be used.");
        now.servers
            .iter()
            .for_each(|(server, is_up)| text.count("ptc_server_up", &[("server", server)], u64::from(*is_up)));
        text.0.push_str("# EOF\n");
        text.0
    }
}

/// What is the case now.
pub(crate) struct Now {
    pub running: usize,
    pub servers: Vec<(String, bool)>,
}

/// OpenMetrics text. Writing to a text cannot fail.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str) {
        let _written = write!(self.0, "# TYPE {name} {kind}\n# HELP {name} {help}\n");
    }

    fn count(&mut self, name: &str, labels: &[(&str, &str)], count: u64) {
        let _written = writeln!(self.0, "{name}{} {count}", labelled(labels));
    }

    fn times(&mut self, name: &str, labels: &[(&str, &str)], Times { count, ms }: Times) {
        let labels = labelled(labels);
        let (seconds, rest) = (ms / 1_000, ms % 1_000);
        let _written = write!(self.0, "{name}_count{labels} {count}\n{name}_sum{labels} {seconds}.{rest:03}\n");
    }
}

fn labelled(labels: &[(&str, &str)]) -> String {
    if labels.is_empty() {
        return String::new();
    }
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<String> = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    format!("{{{}}}", labels.join(","))
}
