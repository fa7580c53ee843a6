//! Whether requests stop growing.

use super::{Broken, Rule, SampleRun, render};
use crate::compression::Compression;

/// Turns in which limits have to fill.
const WARM_UP: usize = 200;
/// Turns after which requests may not have grown.
const LONG_RUN: usize = 3 * WARM_UP;
/// Requests of a strategy without a renderer are checked occasionally: each costs the whole history.
const STRIDE: usize = 7;
/// Characters by which requests may differ: numbers of turns have more digits, and a layout that is occasionally
/// rewritten is rewritten at other places.
const SLACK: usize = 512;

/// The largest request of a long run whose turns are alike is at its beginning: whether all succeed or all fail.
pub(super) fn check(strategy: &dyn Compression) -> Result<(), Broken> {
    for (history, turns) in [(SampleRun::steady(LONG_RUN), ""), (SampleRun::failing(LONG_RUN), " that all failed")] {
        let (mut early, mut late) = (0, 0);
        for (seen, size) in sizes(strategy, &history) {
            let largest = if seen <= WARM_UP { &mut early } else { &mut late };
            *largest = size.max(*largest);
        }
        if late > early + SLACK {
            let found =
                format!("a request has {late} bytes, and the largest of the first {WARM_UP} turns{turns} had {early}");
            return Err((Rule::Bounded, LONG_RUN, found));
        }
    }
    Ok(())
}

/// Bytes of the requests, with the turns before them.
fn sizes(strategy: &dyn Compression, history: &SampleRun) -> Vec<(usize, usize)> {
    let size =
        |rendered: crate::Rendered| -> usize { rendered.messages.iter().map(|message| message.content().len()).sum() };
    let Some(mut renderer) = strategy.incremental() else {
        return (0..=LONG_RUN).step_by(STRIDE).map(|seen| (seen, size(render(strategy, history, seen)))).collect();
    };
    let after = |(place, turn)| {
        renderer.push(turn);
        (place + 1, size(renderer.render(&history.memory(place + 1), &history.input(place + 1))))
    };
    history.turns().iter().enumerate().map(after).collect()
}
