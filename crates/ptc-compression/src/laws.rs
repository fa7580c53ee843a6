//! The rules that every strategy keeps, over random histories. A new strategy adds one line per property here.

use std::sync::Arc;

use proptest::prelude::*;
use ptc_chat::Role;
use ptc_lisp::Memory;
use ptc_transcript::Turn;

use crate::sample_runs::{Agent, any_turns};
use crate::{Aggressive, Compression, PerTurnSummary, Rendered, RollingWindow, SingleUserCoalesced, renderer_of};

/// Strategies that list calls and prints, all with these limits.
fn listing(prints: usize, calls: usize) -> Vec<Arc<dyn Compression>> {
    let limits = SingleUserCoalesced { println_limit: prints, tool_call_limit: calls, ..SingleUserCoalesced::default() };
    vec![
        Arc::new(limits.clone()),
        Arc::new(RollingWindow { window: 2, limits: limits.clone() }),
        Arc::new(RollingWindow { window: 0, limits: limits.clone() }),
        Arc::new(PerTurnSummary { program_limit: 12, limits, ..PerTurnSummary::default() }),
    ]
}

fn strategies(prints: usize, calls: usize) -> Vec<Arc<dyn Compression>> {
    let results = SingleUserCoalesced { tool_results: true, tool_hint: false, ..SingleUserCoalesced::default() };
    let mut strategies = listing(prints, calls);
    strategies.push(Arc::new(results.clone()));
    strategies.push(Arc::new(RollingWindow { window: 3, limits: results }));
    strategies.push(Arc::new(Aggressive { println_limit: prints, tool_call_limit: calls, ..Aggressive::default() }));
    strategies
}

fn render(strategy: &dyn Compression, agent: &Agent, turns: &[Turn]) -> Rendered {
    let memory = turns.last().map(|turn| turn.memory().clone()).unwrap_or_default();
    strategy.to_messages(turns, &memory, &agent.input(8 - turns.len().min(8)))
}

fn whole_text(rendered: &Rendered) -> String {
    rendered.messages.iter().map(|message| message.content().into_owned()).collect::<Vec<_>>().join("\n\n")
}

proptest! {
    #[test]
    fn pure_and_equal_to_its_renderer(turns in any_turns()) {
        let agent = Agent::bookings();
        for strategy in strategies(3, 2) {
            let mut renderer = renderer_of(&strategy);
            for seen in 0..=turns.len() {
                let known = &turns[..seen];
                let once = render(&*strategy, &agent, known);
                prop_assert_eq!(&once, &render(&*strategy, &agent, known));
                let elsewhere = std::thread::scope(|scope| scope.spawn(|| render(&*strategy, &agent, known)).join().unwrap());
                prop_assert_eq!(&once, &elsewhere);
                let memory = known.last().map(|turn| turn.memory().clone()).unwrap_or_default();
                prop_assert_eq!(&once, &renderer.render(&memory, &agent.input(8 - seen)));
                if let Some(next) = turns.get(seen) {
                    renderer.push(next);
                }
            }
        }
    }

    #[test]
    fn shape_of_a_request(turns in any_turns()) {
        let agent = Agent::bookings();
        for strategy in strategies(3, 2) {
            let first = render(&*strategy, &agent, &[]);
            let rendered = render(&*strategy, &agent, &turns);
            let prefix = |rendered: &Rendered| {
                let message = &rendered.messages[0];
                message.content()[..message.stable_bytes()].to_owned()
            };
            prop_assert!(prefix(&rendered).starts_with("Which bookings fit into 250 euros?\n\n;; === tool/ ==="));
            let ending = if strategy.name() == Aggressive::NAME { "\n\nReturn: {kept :int}" } else { "Finish with `(return {:kept 42})`." };
            let ends = prefix(&rendered).ends_with(ending);
            prop_assert!(ends);
            prop_assert_eq!(prefix(&rendered), prefix(&first));
            for (index, message) in rendered.messages.iter().enumerate() {
                prop_assert_eq!(message.role, if index % 2 == 0 { Role::User } else { Role::Assistant });
                prop_assert!(!message.content().trim().is_empty());
                prop_assert!(!message.content().contains("\n\n\n"));
            }
            let last = rendered.messages.last().unwrap();
            prop_assert_eq!(last.role, Role::User);
            let indicator = format!("\n\n{}", ptc_mission::turns_indicator(8 - turns.len()));
            prop_assert!(last.content().ends_with(&indicator));
        }
    }

    #[test]
    fn failed_turns_leave_one_error_block_at_most(turns in any_turns()) {
        let agent = Agent::bookings();
        for strategy in strategies(3, 2) {
            let text = whole_text(&render(&*strategy, &agent, &turns));
            let failed_last = turns.last().filter(|turn| !turn.is_success());
            let errors = text.matches("\nError: ").count() + text.matches("\n;; Last error: ").count();
            prop_assert_eq!(errors, usize::from(failed_last.is_some()));
            prop_assert!(!text.contains("printed f"));
            for turn in turns.iter().filter(|turn| !turn.is_success()) {
                let shown = failed_last.is_some_and(|last| last.number() == turn.number());
                prop_assert_eq!(text.contains(&turn.error_message().unwrap()), shown);
            }
        }
    }

    #[test]
    fn limits_keep_the_newest_and_statistics_add_up(turns in any_turns(), prints in 0..5_usize, calls in 0..5_usize) {
        let agent = Agent::bookings();
        let good: Vec<&Turn> = turns.iter().filter(|turn| turn.is_success()).collect();
        let printed: Vec<&String> = good.iter().flat_map(|turn| turn.prints()).collect();
        let made: Vec<String> = good.iter().flat_map(|turn| turn.tool_calls()).map(ptc_mission::tool_call_line).collect();
        let aggressive: Arc<dyn Compression> = Arc::new(Aggressive { println_limit: prints, tool_call_limit: calls, ..Aggressive::default() });
        for strategy in listing(prints, calls).iter().chain([&aggressive]) {
            let rendered = render(&**strategy, &agent, &turns);
            let text = whole_text(&rendered);
            for (index, entry) in printed.iter().enumerate() {
                prop_assert_eq!(text.contains(entry.as_str()), index + prints >= printed.len());
            }
            for (index, line) in made.iter().enumerate() {
                let shown = index + calls >= made.len() && strategy.name() != Aggressive::NAME;
                prop_assert_eq!(text.contains(&format!(";   {line}")), shown);
            }

            let stats = rendered.stats;
            prop_assert_eq!((stats.printlns_total, stats.tool_calls_total), (printed.len(), made.len()));
            prop_assert_eq!(stats.printlns_shown, printed.len().min(prints));
            prop_assert_eq!(stats.tool_calls_shown, made.len().min(calls));
            prop_assert_eq!(stats.printlns_shown + stats.printlns_dropped, stats.printlns_total);
            prop_assert_eq!(stats.tool_calls_shown + stats.tool_calls_dropped, stats.tool_calls_total);
            let last_failed = turns.last().is_some_and(|turn| !turn.is_success());
            prop_assert_eq!(stats.error_turns_collapsed, turns.len() - good.len() - usize::from(last_failed));
            prop_assert_eq!((stats.enabled, stats.strategy.as_str()), (true, strategy.name()));
        }
    }

    #[test]
    fn a_window_of_nothing_is_the_default_strategy(turns in any_turns(), results in any::<bool>()) {
        let agent = Agent::bookings();
        let limits = SingleUserCoalesced { println_limit: 3, tool_call_limit: 2, tool_results: results, ..SingleUserCoalesced::default() };
        let rolling = render(&RollingWindow { window: 0, limits: limits.clone() }, &agent, &turns);
        let merged = render(&limits, &agent, &turns);
        prop_assert_eq!(rolling.messages, merged.messages);
    }

    #[test]
    fn a_window_and_a_summary_have_as_many_messages_as_they_say(turns in any_turns(), window in 0..5_usize) {
        let agent = Agent::bookings();
        let good = turns.iter().filter(|turn| turn.is_success()).count();
        let rolling = render(&RollingWindow { window, ..RollingWindow::default() }, &agent, &turns);
        prop_assert_eq!(rolling.messages.len(), 1 + 2 * window.min(good));
        prop_assert_eq!(render(&PerTurnSummary::default(), &agent, &turns).messages.len(), 1 + 2 * good);
        prop_assert_eq!(render(&Aggressive::default(), &agent, &turns).messages.len(), 1);
    }

    #[test]
    fn samples_are_shown_until_something_was_printed(turns in any_turns()) {
        let agent = Agent::bookings();
        let text = whole_text(&render(&*strategies(3, 2)[0], &agent, &turns));
        let good = || turns.iter().filter(|turn| turn.is_success());
        let printed = good().any(|turn| !turn.prints().is_empty());
        for turn in good() {
            let line = format!("v{}                            ; = list[1]{}\n", turn.number(), if printed { String::new() } else { format!(", sample: [{}]", turn.number()) });
            prop_assert!(text.contains(&line), "{line} in {text}");
        }
        prop_assert_eq!(text.contains("sample: \"EUR\""), true);
    }
}

/// A strategy of a user who implements nothing but the pure function.
struct Marker;

impl Compression for Marker {
    fn name(&self) -> &str {
        "marker"
    }

    fn to_messages(&self, turns: &[Turn], _: &Memory, _: &crate::RenderInput<'_>) -> Rendered {
        vec![ptc_chat::Message::user(format!("{} turns", turns.len()))].into()
    }
}

#[test]
fn a_custom_strategy_gets_a_renderer() {
    let strategy: Arc<dyn Compression> = Arc::new(Marker);
    let agent = Agent::bookings();
    let mut renderer = renderer_of(&strategy);
    for turn in crate::sample_runs::worked_example() {
        renderer.push(&turn);
    }
    let rendered = renderer.render(&Memory::default(), &agent.input(1));
    assert_eq!(rendered.messages[0].content(), "3 turns");
    assert!(!rendered.stats.enabled);
}
