//! The table of all turns, for other programs.

use ptc_tests::study::Study;

/// A line for each turn of each mission: input, uncached input and history in tokens, for each way.
pub(super) fn of(study: &Study) -> String {
    let labels =
        study.ways.iter().flat_map(|way| ["input", "not cached", "history"].map(|part| format!("{way}: {part}")));
    let mut text = std::iter::once("mission,turn".to_owned()).chain(labels).collect::<Vec<_>>().join(",") + "\n";
    for mission in &study.missions {
        for turn in 0..mission.turns {
            let figures =
                mission.ways.iter().flat_map(|way| [&way.input, &way.fresh, &way.history].map(|list| list.get(turn)));
            let cells = figures.map(|tokens| tokens.map_or_else(String::new, u64::to_string));
            let line: Vec<String> = [mission.name.clone(), (turn + 1).to_string()].into_iter().chain(cells).collect();
            text += &(line.join(",") + "\n");
        }
    }
    text
}
