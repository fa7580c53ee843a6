//! The laws of each strategy with default options, at every turn of runs that pass all of its thresholds.
//!
//! They check the text that a model gets, not statistics.

use std::collections::HashMap;

use crate::words::{
    NO_TOOL_CALLS, OUTPUT_HEADER, STORED_NAMES, SampleLimits, TOOL_CALLS_HEADER, USER_HEADER, entry_line,
    user_types_section,
};
use proptest::test_runner::Config as ProptestConfig;
use proptest::{prop_assert, prop_assert_eq, proptest};
use ptc_lisp::MemoryEntry;
use ptc_transcript::Turn;

use crate::digest::definition_text;
use crate::testkit::SampleRun;
use crate::testkit::rules::{WholeTurns, beside_notes};
use crate::{Rendered, Strategy, renderer_of};

/// The places of the lists of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lists {
    /// One of each kind in the whole request.
    Once,
    /// One of each kind in a message, one of definitions in the request.
    OnceInMessage,
    /// One of each kind in the merged text, and in each report after it.
    OnceInReport,
    /// One of each kind in a message; names may be listed again.
    OnceInTurn,
}

/// The promises of a strategy with default options.
struct Law {
    lists: Lists,
    /// Prints and calls shown at most.
    most: [usize; 2],
    /// Whether it shows all entries up to that maximum.
    fills: bool,
}

fn law(strategy: &Strategy) -> Law {
    let limits =
        |limits: &crate::ViewLimits, times: usize| [limits.println_limit * times, limits.tool_call_limit * times];
    match strategy {
        Strategy::SingleUserCoalesced(of) => Law { lists: Lists::Once, most: limits(&of.limits, 1), fills: true },
        Strategy::Aggressive(of) => {
            Law { lists: Lists::Once, most: [of.println_limit, of.tool_call_limit], fills: true }
        }
        Strategy::RollingWindow(of) => Law { lists: Lists::OnceInMessage, most: limits(&of.limits, 1), fills: true },
        Strategy::PerTurnSummary(of) => Law { lists: Lists::OnceInMessage, most: limits(&of.limits, 1), fills: false },
        // Their bounds are in characters.
        Strategy::Digest(_) => Law { lists: Lists::OnceInReport, most: [usize::MAX; 2], fills: false },
        Strategy::AppendOnly(_) => Law { lists: Lists::OnceInTurn, most: [usize::MAX; 2], fills: false },
    }
}

/// A request of a run as its strategy renders it.
struct Request<'h> {
    strategy: &'h Strategy,
    history: &'h SampleRun,
    seen: usize,
    texts: Vec<String>,
    told: WholeTurns,
}

impl Request<'_> {
    fn turns(&self) -> &[Turn] {
        self.history.after(self.seen)
    }

    fn good(&self) -> impl Iterator<Item = &Turn> {
        self.turns().iter().filter(|turn| turn.is_success())
    }

    fn text(&self) -> String {
        self.texts.join("\n\n")
    }

    fn definitions(&self) -> Vec<MemoryEntry> {
        self.history.memory(self.seen).entries().to_vec()
    }

    /// Prints and calls of good turns, and how many of them the text has.
    fn shown(&self) -> [(usize, usize); 2] {
        let text = self.text();
        let prints: Vec<&str> =
            self.good().flat_map(Turn::prints).map(|print| &print[..=print.find(' ').unwrap()]).collect();
        let calls: Vec<String> =
            self.good().flat_map(Turn::tool_calls).map(|call| format!("\"{}\"", SampleRun::mark(call))).collect();
        let counted = text.lines().find_map(|line| line.strip_prefix(";; Tool calls: ")).map(counted);
        let listed = calls.iter().filter(|call| text.contains(call.as_str())).count();
        let printed = prints.iter().filter(|print| text.lines().any(|line| line.starts_with(*print))).count();
        [(prints.len(), printed), (calls.len(), counted.unwrap_or(listed))]
    }
}

/// `quote-room x4, list-rooms x1 (+2 earlier)` → 5
fn counted(line: &str) -> usize {
    let counts = line.split(" (+").next().unwrap_or_default().split(", ");
    counts.filter_map(|named| named.rsplit_once(" x")?.1.parse::<usize>().ok()).sum()
}

/// Every request of a long run under each strategy, by its renderer.
fn each_request(seed: u64, mut check: impl FnMut(&Request<'_>)) {
    let history = SampleRun::long(seed);
    for strategy in Strategy::all() {
        let mut renderer = renderer_of(&strategy.to_compression());
        for seen in 0..=history.turns().len() {
            let Rendered { messages, .. } = renderer.render(&history.memory(seen), &history.input(seen));
            let texts = messages.iter().map(|message| message.content().into_owned()).collect();
            let told = WholeTurns::of(&messages, history.after(seen));
            check(&Request { strategy: &strategy, history: &history, seen, texts, told });
            if let Some(turn) = history.turns().get(seen) {
                renderer.push(turn);
            }
        }
    }
}

/// The lines about a definition.
fn lines<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let heads = [format!("{name} "), format!("({name} "), format!("({name})")];
    text.lines().filter(|line| heads.iter().any(|head| line.starts_with(head.as_str()))).collect()
}

/// How a definition may be listed: with a sample, without one, with its type only.
fn listings(entry: &MemoryEntry) -> Vec<String> {
    let shown = ptc_lisp::ShownNames::default();
    let types = user_types_section(&ptc_lisp::Memory::new(vec![entry.clone()])).unwrap_or_default();
    let lines = [Some(SampleLimits::default()), None].map(|samples| entry_line(entry, samples, &shown));
    lines.into_iter().chain(types.lines().nth(1).map(str::to_owned)).chain([definition_text(entry, &shown)]).collect()
}

proptest! {
    // A case renders some six hundred requests.
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Proves: TRN-010, TC-002, TC-007, AMB-008.
    #[test]
    fn no_more_is_shown_than_the_limits_allow(seed: u64) {
        each_request(seed, |request| {
            let law = law(request.strategy);
            for ((all, shown), most) in request.shown().into_iter().zip(law.most) {
                assert!(shown <= most, "{} shows {shown} after {} turns", request.strategy.name(), request.seen);
                assert!(!law.fills || shown == all.min(most), "{} shows {shown} of {all}", request.strategy.name());
            }
        });
    }

    /// Proves: FMT-017.
    #[test]
    fn each_header_stands_once(seed: u64) {
        each_request(seed, |request| {
            let blocks: Vec<String> = match law(request.strategy).lists {
                Lists::Once => vec![request.text()],
                Lists::OnceInMessage | Lists::OnceInTurn => request.texts.clone(),
                // The closing lists the definitions of a refused answer.
                Lists::OnceInReport => request.text().split("\n;; Turn ").map(str::to_owned).collect(),
            };
            for (place, block) in blocks.iter().enumerate() {
                let calls = [TOOL_CALLS_HEADER, NO_TOOL_CALLS, ";; Tool calls: "].iter().map(|header| headers(block, header)).sum();
                let definitions = headers(block, USER_HEADER);
                let is_last = place + 1 == blocks.len();
                let again = usize::from(is_last && !matches!(law(request.strategy).lists, Lists::Once | Lists::OnceInMessage));
                assert!(definitions <= 1 + again, "{}: {block}", request.strategy.name());
                for found in [headers(block, OUTPUT_HEADER), calls] {
                    assert!(found <= 1, "{}: {block}", request.strategy.name());
                }
            }
        });
    }

    /// Proves: DEF-001.
    #[test]
    fn a_name_has_one_line(seed: u64) {
        each_request(seed, |request| {
            let text = request.text();
            let is_single = matches!(law(request.strategy).lists, Lists::Once | Lists::OnceInMessage);
            for entry in request.definitions().iter().filter(|_| is_single) {
                let lines = lines(&text, &entry.name);
                assert_eq!(lines.len(), 1, "{}: {lines:?}", request.strategy.name());
            }
        });
    }

    /// Proves: DEF-002.
    #[test]
    fn the_last_line_of_a_name_is_what_it_is_now(seed: u64) {
        each_request(seed, |request| {
            let text = request.text();
            for entry in request.definitions() {
                let (lines, wanted) = (lines(&text, &entry.name), listings(&entry));
                // A dialogue has names alone, and the programs that define them.
                let is_named = text.lines().filter_map(|line| line.strip_prefix(STORED_NAMES)).any(|names| names.contains(&entry.name));
                // Text that was sent stays, so what a function that was only called returns may be out of date.
                let stays = matches!(request.strategy, Strategy::Digest(_) | Strategy::AppendOnly(_)) && entry.is_function();
                let part = |line: &str| if stays { line.split(" -> ").next().unwrap_or(line).trim_end().to_owned() } else { line.to_owned() };
                let holds = lines.last().map_or(is_named, |line| wanted.iter().any(|wanted| part(wanted) == part(line)));
                assert!(holds, "{}: {lines:?} instead of {wanted:?}", request.strategy.name());
            }
        });
    }

    #[test]
    fn a_model_is_told_where_a_name_may_be_listed_again(seed: u64) {
        each_request(seed, |request| {
            let text = request.text();
            let twice = request.definitions().iter().any(|entry| lines(&text, &entry.name).len() > 1);
            let is_said = text.contains("Of a name that is listed again, the last line holds.");
            let reports = matches!(request.strategy, Strategy::Digest(_));
            assert!(is_said || !(reports && twice), "{text}");
            assert!(reports || !is_said, "{text}");
        });
    }

    /// Proves: ERR-003.
    #[test]
    fn nothing_of_a_failure_stays_but_its_effects(seed: u64) {
        each_request(seed, |request| {
            if request.turns().last().is_none_or(|turn| !turn.is_success()) {
                return;
            }
            let text = request.text();
            assert!(!text.contains("Your previous attempt") && !text.contains(";; Last error"), "{text}");
            for turn in request.turns().iter().filter(|turn| !turn.is_success() && !request.told.has(turn)) {
                let mark = format!("f{}", turn.number());
                let left = [format!("error of {mark}:"), format!("(program {mark})"), format!("[{mark} ")];
                assert!(left.iter().all(|left| !text.contains(left.as_str())), "{}: {mark} in {text}", request.strategy.name());
                assert!(!beside_notes(&text).any(|line| line.contains(&format!("{mark}."))), "{mark} in {text}");
            }
        });
    }

    /// Without this the laws above would prove little.
    #[test]
    fn long_runs_pass_every_threshold(seed: u64) {
        let history = SampleRun::long(seed);
        let good = history.turns().iter().filter(|turn| turn.is_success()).count();
        let mut sizes: HashMap<&str, Vec<usize>> = HashMap::new();
        let (mut reports, mut left_out) = (Vec::new(), false);
        each_request(seed, |request| {
            sizes.entry(request.strategy.name()).or_default().push(request.texts.len());
            if matches!(request.strategy, Strategy::Digest(_)) {
                reports.push(request.text().matches("\n;; Turn ").count());
                left_out |= request.text().contains("not shown)");
            }
            if request.seen == history.turns().len() {
                let law = law(request.strategy);
                let [prints, calls] = request.shown();
                assert!(law.most == [usize::MAX; 2] || (prints.0 > law.most[0] && calls.0 > law.most[1]), "{}", request.strategy.name());
                let leaves_out = prints.1 < prints.0 && calls.1 < calls.0;
                assert!(leaves_out || matches!(request.strategy, Strategy::Digest(_)), "{}", request.strategy.name());
            }
        });
        for strategy in Strategy::all() {
            match strategy {
                Strategy::RollingWindow(of) => prop_assert!(good > of.window),
                Strategy::PerTurnSummary(of) => prop_assert!(good > of.turn_limit),
                _ => {}
            }
        }
        let falls = |counts: &[usize]| counts.windows(2).filter(|pair| pair[0] > pair[1]).count();
        prop_assert!(falls(&reports) >= 1, "a digest is merged again and again: {reports:?}");
        prop_assert!(left_out, "a digest leaves something out");
        prop_assert!(sizes["digest"].iter().max() > Some(&3), "a digest begins with the dialogue");
        prop_assert!(falls(&sizes["append-only"]) >= 1, "what was appended is merged");
        prop_assert_eq!(sizes["single-user-coalesced"].iter().max(), Some(&1));
    }
}

/// How often a line is this header, or begins with it.
fn headers(text: &str, header: &str) -> usize {
    text.lines().filter(|line| line.starts_with(header)).count()
}
