//! Each rule has strategies that break it and nothing else, and the kit finds them.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::words::{output_section, user_section};
use ptc_chat::{Message, Part};
use ptc_lisp::Memory;
use ptc_transcript::Turn;

use super::*;
use crate::compression::Renderer;
use crate::{RenderInput, SingleUserCoalesced};

/// What a broken strategy may use.
struct Seen<'a> {
    turns: &'a [Turn],
    memory: &'a Memory,
    input: &'a RenderInput<'a>,
}

/// The default strategy with something done to its messages.
struct Bent<F>(F);

impl<F: Fn(&mut Rendered, &Seen<'_>) + Send + Sync> Compression for Bent<F> {
    fn name(&self) -> &str {
        SingleUserCoalesced::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut rendered = SingleUserCoalesced::default().to_messages(turns, memory, input);
        self.0(&mut rendered, &Seen { turns, memory, input });
        rendered
    }
}

/// The findings of the kit for a strategy bent like this.
fn check_bent(bend: impl Fn(&mut Rendered, &Seen<'_>) + Send + Sync) -> Violation {
    check(&Bent(bend), 300, 7).expect_err("the kit finds what is broken")
}

/// The stable beginning and the rest of the only message.
fn split(rendered: &Rendered) -> (String, String) {
    let message = &rendered.messages[0];
    let (stable, rest) = (message.stable_bytes(), message.content().into_owned());
    (rest[..stable].to_owned(), rest[stable..].to_owned())
}

fn set(rendered: &mut Rendered, stable: String, rest: String) {
    rendered.messages[0] = Message::new(ptc_chat::Role::User, [Part::stable(stable), Part::changing(rest)]);
}

/// Put a paragraph before the last one.
fn insert(rendered: &mut Rendered, paragraph: &str) {
    let (stable, rest) = split(rendered);
    let end = rest.rfind("\n\n").unwrap();
    set(rendered, stable, format!("{}\n\n{paragraph}{}", &rest[..end], &rest[end..]));
}

fn keeps_rules(strategy: &dyn Compression) {
    if let Err(violation) = check(strategy, 300, 7) {
        panic!("{violation}");
    }
}

#[test]
fn a_strategy_that_is_not_bent_keeps_all_rules() {
    keeps_rules(&Bent(|_: &mut Rendered, _: &Seen<'_>| {}));
    keeps_rules(&Bent(|rendered: &mut Rendered, _: &Seen<'_>| insert(rendered, "A remark.")));
}

#[test]
fn chance_and_memory_of_its_own() {
    let renderings = AtomicUsize::new(0);
    let found = check_bent(|rendered, _| {
        insert(rendered, &format!("Rendering {}", renderings.fetch_add(1, Ordering::Relaxed)))
    });
    assert_eq!(found.rule, Rule::Pure);
    assert!(found.found.starts_with("a second rendering differs: `Rendering "), "{found}");
}

#[test]
fn state_of_a_thread() {
    let main = std::thread::current().id();
    let found =
        check_bent(|rendered, _| insert(rendered, if std::thread::current().id() == main { "here" } else { "there" }));
    assert_eq!(found.rule, Rule::Pure);
    assert!(found.found.contains("`here` became `there`"), "{found}");
}

/// A strategy whose renderer forgets the turns.
struct Forgetful;

impl Compression for Forgetful {
    fn name(&self) -> &str {
        SingleUserCoalesced::NAME
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        SingleUserCoalesced::default().to_messages(turns, memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(Box::new(Forgetful))
    }
}

impl Renderer for Forgetful {
    fn push(&mut self, _: &Turn) {}

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.to_messages(&[], memory, input)
    }
}

#[test]
fn a_renderer_of_its_own_mind() {
    let found = check(&Forgetful, 300, 7).unwrap_err();
    assert_eq!(found.rule, Rule::Pure);
    assert!(found.found.starts_with("its renderer differs"), "{found}");
}

#[test]
fn roles_out_of_turn() {
    assert_eq!(check_bent(|rendered, _| rendered.messages.push(Message::assistant("(+ 1 2)"))).rule, Rule::Roles);
    assert_eq!(check_bent(|rendered, _| rendered.messages.push(Message::user("Go on."))).rule, Rule::Roles);
    assert_eq!(check_bent(|rendered, _| rendered.messages.clear()).rule, Rule::Roles);
}

#[test]
fn empty_messages_and_gaps() {
    let empty = |rendered: &mut Rendered, _: &Seen<'_>| {
        rendered.messages.splice(0..0, [Message::user(" "), Message::assistant("(go)")]);
    };
    assert_eq!(check_bent(empty).rule, Rule::Filled);
    assert_eq!(check_bent(|rendered, _| insert(rendered, "\nfar below")).rule, Rule::Filled);
}

#[test]
fn missions_that_are_cut() {
    let cut = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        let end = seen.input.mission.char_indices().nth(20).map_or(0, |(end, _)| end);
        set(rendered, stable.replacen(seen.input.mission, &seen.input.mission[..end], 1), rest);
    };
    assert_eq!(check_bent(cut).rule, Rule::Mission);
}

#[test]
fn beginnings_that_change() {
    let counting = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        set(rendered, format!("{stable}\n\nAfter {} turns", seen.turns.len()), rest);
    };
    let found = check_bent(counting);
    assert_eq!(
        (found.rule, found.found.as_str()),
        (Rule::Prefix, "the stable beginning is not that of the first request")
    );
    let bare = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let (_, rest) = split(rendered);
        set(rendered, seen.input.mission.to_owned(), rest);
    };
    let found = check_bent(bare);
    assert_eq!(found.rule, Rule::Prefix);
    assert!(found.found.ends_with("is not in the stable beginning"), "{found}");
    let unstable = |rendered: &mut Rendered, _: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        rendered.messages = vec![Message::user(format!("{stable}{rest}"))];
    };
    assert_eq!(check_bent(unstable).found, "the mission is not in a stable part");
    let late = |rendered: &mut Rendered, _: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        let parts = [Part::stable(stable), Part::changing("\n\nNow:"), Part::stable(rest)];
        rendered.messages[0] = Message::new(ptc_chat::Role::User, parts);
    };
    assert_eq!(check_bent(late).found, "a stable part follows one that changes");
}

#[test]
fn repeated_parts_behind_others() {
    let behind = |before: fn(String) -> Part, part: fn(String) -> Part| {
        let found = check_bent(move |rendered, _| {
            let (stable, rest) = split(rendered);
            let parts = [Part::stable(stable), before("\n\nNow:".to_owned()), part(rest)];
            rendered.messages[0] = Message::new(ptc_chat::Role::User, parts);
        });
        assert_eq!(found.rule, Rule::Prefix);
        found.found
    };
    assert_eq!(behind(Part::changing, Part::repeated), "a repeated part follows one that changes");
    assert_eq!(behind(Part::repeated, Part::stable), "a stable part follows one that only the next request repeats");
}

#[test]
fn another_ending() {
    let found = check_bent(|rendered, _| {
        let (stable, rest) = split(rendered);
        set(rendered, stable, format!("{rest}\n\nGood luck!"));
    });
    assert_eq!(found.rule, Rule::Ending);
    assert!(found.found.starts_with("it ends with `Good luck!` instead of `"), "{found}");
}

#[test]
fn errors_that_vanish_or_stay() {
    let vanish = |rendered: &mut Rendered, _: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        if let (Some(start), Some(end)) = (rest.find("---\n"), rest.rfind("\n---\n\n")) {
            set(rendered, stable, format!("{}{}", &rest[..start], &rest[end + 6..]));
        }
    };
    let found = check_bent(vanish);
    assert_eq!((found.rule, found.found.as_str()), (Rule::LastError, "the error of the last turn is missing"));
    let stay = |rendered: &mut Rendered, seen: &Seen<'_>| {
        if let Some(error) = seen.turns.iter().rev().find_map(Turn::error_message) {
            insert(rendered, error.lines().next().unwrap());
        }
    };
    let found = check_bent(stay);
    assert_eq!(found.rule, Rule::LastError);
    assert!(found.found.ends_with("which failed before, is still shown"), "{found}");
}

#[test]
fn what_failed_turns_did() {
    let prints = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let failed = seen.turns.iter().rev().skip(1).filter(|turn| !turn.is_success());
        if let Some(output) = output_section(failed.flat_map(Turn::prints), 0) {
            insert(rendered, &output);
        }
    };
    assert_eq!(check_bent(prints).rule, Rule::FailedTurns);
    let calls = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let failed = seen.turns.iter().rev().skip(1).filter(|turn| !turn.is_success());
        failed.flat_map(Turn::tool_calls).for_each(|call| insert(rendered, &crate::words::tool_call_line(call)));
    };
    assert_eq!(check_bent(calls).rule, Rule::FailedTurns);
}

#[test]
fn effects_that_are_not_named() {
    let found = check_bent(|rendered, _| {
        let (stable, rest) = split(rendered);
        let kept: Vec<&str> = rules::beside_notes(&rest).collect();
        set(rendered, stable, kept.join("\n").replace("\n\n\n", "\n\n"));
    });
    assert_eq!(found.rule, Rule::Effects, "{found}");
    assert!(found.found.ends_with("took effect in a turn that failed and is not named in a note"), "{found}");
}

#[test]
fn limits_that_drop_the_newest() {
    let oldest = |rendered: &mut Rendered, seen: &Seen<'_>| {
        let good = seen.turns.iter().filter(|turn| turn.is_success());
        let oldest = output_section(good.flat_map(Turn::prints).take(2), 0);
        let (stable, rest) = split(rendered);
        let other = rest.split("\n\n").filter(|part| !part.starts_with(";; Output:"));
        let parts: Vec<&str> = other.collect();
        set(rendered, stable, parts.join("\n\n"));
        insert(rendered, &oldest.unwrap_or_else(|| "Nothing.".to_owned()));
    };
    let found = check_bent(oldest);
    assert_eq!((found.rule, found.found.as_str()), (Rule::Newest, "an entry is missing, and an older one is shown"));
    let reversed = |rendered: &mut Rendered, _: &Seen<'_>| {
        let (stable, rest) = split(rendered);
        let turned = |part: &str| match part.strip_prefix(";; Output:\n") {
            Some(lines) => format!(";; Output:\n{}", lines.lines().rev().collect::<Vec<_>>().join("\n")),
            None => part.to_owned(),
        };
        set(rendered, stable, rest.split("\n\n").map(turned).collect::<Vec<_>>().join("\n\n"));
    };
    assert_eq!(check_bent(reversed).found, "entries are not in the order in which they came");
}

#[test]
fn figures_that_are_wrong() {
    let found = check_bent(|rendered, _| rendered.stats.printlns_shown += 1);
    assert_eq!((found.rule, found.found.as_str()), (Rule::Statistics, "1 prints shown are counted, and there are 0"));
    let wrong: [fn(&mut ptc_transcript::CompressionStats); 6] = [
        |stats| stats.tool_calls_total += 1,
        |stats| stats.tool_calls_dropped += 1,
        |stats| stats.error_turns_collapsed += 1,
        |stats| stats.turns_compressed += 1,
        |stats| stats.strategy.clear(),
        |stats| stats.enabled = false,
    ];
    for bend in wrong {
        assert_eq!(check_bent(|rendered, _| bend(&mut rendered.stats)).rule, Rule::Statistics);
    }
}

#[test]
fn names_that_are_not_defined() {
    let listed = |rendered: &mut Rendered, _: &Seen<'_>| insert(rendered, ";; Turn 1\n;; Defined: rows, ghost");
    assert_eq!(check_bent(listed).rule, Rule::Defined);
    let soon = |rendered: &mut Rendered, _: &Seen<'_>| {
        insert(rendered, &user_section(&SampleRun::steady(1).memory(1), None).unwrap())
    };
    let found = check_bent(soon);
    assert_eq!((found.rule, found.found.as_str()), (Rule::Defined, "`total` is listed and not defined"));
}

#[test]
fn hidden_values() {
    let found = check_bent(|rendered, seen| {
        let values = seen.memory.entries().iter().map(|entry| ptc_lisp::text::display_text(&entry.value));
        values.filter(|value| !value.contains("\n\n")).for_each(|value| insert(rendered, &value));
    });
    assert_eq!(found.rule, Rule::Hidden);
    assert!(found.found.starts_with("the hidden value `concealed-"), "{found}");
}

#[test]
fn requests_that_grow() {
    let found = check_bent(|rendered, seen| insert(rendered, &format!("Done: {}", "x".repeat(3 * seen.turns.len()))));
    assert_eq!((found.rule, found.seed, found.turns), (Rule::Bounded, None, 600));
    assert!(found.to_string().contains(": in a steady run after 600 turns a request has "), "{found}");
}

#[test]
fn requests_that_grow_by_failures() {
    let found = check_bent(|rendered, seen| {
        let failed = seen.turns.iter().filter(|turn| !turn.is_success()).count();
        insert(rendered, &format!("Failed: {}", "x".repeat(3 * failed)));
    });
    assert_eq!((found.rule, found.seed, found.turns), (Rule::Bounded, None, 600));
    assert!(found.to_string().contains(" turns that all failed had "), "{found}");
}

#[test]
fn what_is_found_can_be_found_again() {
    let bend = |rendered: &mut Rendered, seen: &Seen<'_>| {
        if seen.turns.len() == 9 {
            insert(rendered, "\nfar below");
        }
    };
    let found = check_bent(bend);
    assert_eq!(check(&Bent(bend), 1, found.seed.unwrap()), Err(found.clone()));
    let seed = found.seed.unwrap();
    let text =
        "strategy `single-user-coalesced` breaks the rule that no message is empty and no missing part leaves a gap";
    assert_eq!(
        found.to_string(),
        format!("{text}: in the run of seed {seed} after 9 turns message 1 has two blank lines in a row")
    );
}

/// Runs without the subjects of the rules would prove nothing.
#[test]
fn runs_have_everything() {
    let runs: Vec<SampleRun> = (0..500).map(SampleRun::random).collect();
    let turns = || runs.iter().flat_map(SampleRun::turns);
    let share = |count: usize| count as f64 / runs.len() as f64;
    assert!(share(runs.iter().filter(|run| run.turns().len() >= 30).count()) > 0.01);
    assert!(share(runs.iter().filter(|run| run.turns().last().is_some_and(|turn| !turn.is_success())).count()) > 0.2);
    assert!(turns().any(|turn| !turn.is_success() && turn.tool_calls().len() > 5));
    assert!(turns().any(|turn| turn.is_success() && turn.tool_calls().iter().any(|call| call.error.is_some())));
    assert!(turns().any(|turn| !turn.warnings().is_empty()) && turns().any(|turn| turn.program().is_none()));
    assert!(turns().any(|turn| turn.memory().entries().iter().any(|entry| entry.is_hidden())));
    assert!(turns().any(|turn| turn.memory().entries().iter().any(|entry| entry.is_function())));
    let again =
        |turn: &Turn| turn.memory().entries().iter().any(|entry| entry.order as usize > turn.memory().entries().len());
    assert!(turns().any(again), "names are defined anew");
}
