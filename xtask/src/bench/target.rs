//! The targets, and CPython's times on the machine that they were set for.

use super::row::Unit;

/// A time that is compared with CPython's. All times in milliseconds, on the machine of the targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// Name in the tables.
    pub(super) id: &'static str,
    /// What is timed.
    pub(super) title: &'static str,
    /// What the driver runs, and its size; `None` for the whole process.
    pub(super) subject: Option<(&'static str, u64)>,
    /// The target.
    pub(super) ms: f64,
    /// CPython 3.11's time; `None` where it has no such workload, so that W3 stands for the speed of the machine.
    pub(super) cpython_ms: Option<f64>,
    /// Whether `--check` enforces it.
    pub(super) binding: bool,
}

const fn workload(id: &'static str, title: &'static str, size: u64, ms: f64, cpython_ms: f64) -> Target {
    Target { id, title, subject: Some((id, size)), ms, cpython_ms: Some(cpython_ms), binding: true }
}

const fn request(id: &'static str, title: &'static str, subject: &'static str) -> Target {
    Target { id, title, subject: Some((subject, 100)), ms: 0.3, cpython_ms: None, binding: false }
}

/// All timed targets, in the order of the page.
pub(super) const TARGETS: &[Target] = &[
    // 700,000 programs per second, and CPython's 269,000.
    Target {
        binding: false,
        ..workload("W1", "parse, compile and run `(+ 1 2)`, a fresh session each time", 1, 1.0 / 700.0, 1.0 / 269.0)
    },
    workload("W2", "filter, group, count and sum 10,000 orders", 10_000, 0.5, 1.6),
    workload("W3", "naive recursive `(fib 27)`", 27, 10.0, 20.9),
    workload("W4", "`loop`/`recur` over 1,000,000", 1_000_000, 8.0, 46.5),
    workload("W5", "`reduce` 10,000 orders into a map of 500 totals", 10_000, 0.7, 1.5),
    workload("W6", "join 10,000 orders, make records, sort, take 10", 10_000, 5.0, 11.7),
    workload("W7", "write, join, split and search text of 10,000 orders", 10_000, 2.4, 4.9),
    Target {
        id: "W9",
        title: "whole process: `ptc eval -e '(+ 1 2)'`",
        subject: None,
        ms: 3.0,
        cpython_ms: Some(6.6),
        binding: false,
    },
    request("R1", "the request of turn 100, default strategy, rendered from scratch", "render-coalesced"),
    request("R1 plain", "without compression: the last turn written, all copied", "render-plain"),
    request(
        "R1 `single-user-coalesced`",
        "one more turn after 100 and its request, as an agent renders it",
        "next-coalesced",
    ),
    request("R1 `digest`", "the same", "next-digest"),
    request("R1 `rolling-window`", "the same", "next-rolling"),
    request("R1 `per-turn-summary`", "the same", "next-summary"),
    request("R1 `aggressive`", "the same", "next-aggressive"),
    request("R1 `append-only`", "the same", "next-append"),
    request("R1 ceiling", "the default strategy below a ceiling that it does not reach", "next-ceiling"),
    request("R1 low ceiling", "the default strategy below a ceiling that leaves names only", "next-names"),
];

/// A figure that the load harness prints: `tests/bench/load`.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadTarget {
    /// Name in the tables.
    pub(super) id: &'static str,
    /// What is measured.
    pub(super) title: &'static str,
    /// Where the figure is in the harness's JSON.
    pub(super) pointer: &'static str,
    pub(super) unit: Unit,
    /// What one of its units is in ours: milliseconds or bytes.
    pub(super) scale: f64,
    /// The target, in milliseconds or bytes.
    pub(super) target: f64,
}

const fn load(
    id: &'static str,
    title: &'static str,
    pointer: &'static str,
    unit: Unit,
    scale: f64,
    target: f64,
) -> LoadTarget {
    LoadTarget { id, title, pointer, unit, scale, target }
}

/// The targets under load, in the order of the page.
pub(super) const LOAD_TARGETS: &[LoadTarget] = &[
    load(
        "W8 `map`",
        "one suspension by a tool call inside `map`, and its resumption",
        "/suspend/map_ns_per_call",
        Unit::Milliseconds,
        1e-6,
        50e-6,
    ),
    load(
        "W8 `pmap`",
        "one fiber with a tool call inside `pmap`",
        "/suspend/pmap_ns_per_fiber",
        Unit::Milliseconds,
        1e-6,
        500e-6,
    ),
    load(
        "A1 burst",
        "CPU time of 10,000 agents started at once",
        "/burst/cpu_seconds",
        Unit::Milliseconds,
        1e3,
        4_000.0,
    ),
    load("A1 memory", "peak of resident memory meanwhile", "/burst/peak_rss_bytes", Unit::Bytes, 1.0, 1e9),
    load(
        "A1 steady",
        "99th percentile of added latency, 2,500 agents started per second",
        "/steady/added_ms_p99",
        Unit::Milliseconds,
        1.0,
        20.0,
    ),
    load("A1 idle", "resident memory of an idle agent", "/idle/bytes_per_agent", Unit::Bytes, 1.0, 30e3),
];

/// Maximum bytes of the `ptc` program.
pub(super) const BINARY_BYTES: f64 = 15e6;

/// Maximum resident bytes of 10,000 orders.
pub(super) const ORDERS_BYTES: f64 = 10e6;
