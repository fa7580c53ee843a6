//! Groups of bars next to their names, on one scale from 0.

use ptc_trace::{Anchor, Picture};

const LEFT: f64 = 200.0;
const LONGEST: f64 = 420.0;
const BAR: f64 = 15.0;
const GAP: f64 = 12.0;
const LINE: f64 = 18.0;

/// What is drawn.
pub(crate) struct Bars<'b> {
    pub(crate) title: String,
    /// The class and the meaning of each bar of a group.
    pub(crate) keys: Vec<(&'b str, &'b str)>,
    /// Names with their figures, in the order of the keys.
    pub(crate) groups: Vec<(&'b str, Vec<f64>)>,
    /// The distance of the lines of the grid, and the figure that one of them stands for.
    pub(crate) step: f64,
    pub(crate) mark: Option<f64>,
    pub(crate) axis: String,
    /// A figure next to its bar.
    pub(crate) write: fn(f64) -> String,
}

impl Bars<'_> {
    /// The largest figure.
    pub(crate) fn most(groups: &[(&str, Vec<f64>)]) -> f64 {
        groups.iter().flat_map(|(_, figures)| figures).copied().fold(f64::MIN_POSITIVE, f64::max)
    }

    /// The picture as text.
    pub(crate) fn draw(&self) -> String {
        let top = 50.0 + LINE * self.keys.len() as f64;
        let group = BAR * self.keys.len() as f64 + GAP;
        let bottom = top + group * self.groups.len() as f64;
        let most = Bars::most(&self.groups);
        let x = |figure: f64| LEFT + LONGEST * figure / most;
        let mut picture = Picture::new(LEFT + LONGEST + 130.0, bottom + 54.0, &self.title);
        for (place, (class, label)) in self.keys.iter().enumerate() {
            picture.key((LEFT, 46.0 + LINE * place as f64), class, label);
        }
        for tick in (0..).map(|tick| f64::from(tick) * self.step).take_while(|tick| *tick <= most) {
            let class = if self.mark == Some(tick) { "mark" } else { "grid" };
            picture.line((x(tick), top - 6.0), (x(tick), bottom), class);
            picture.text((x(tick), bottom + 18.0), Anchor::Middle, "note", &(self.write)(tick));
        }
        picture.text((LEFT + LONGEST / 2.0, bottom + 40.0), Anchor::Middle, "note", &self.axis);
        for (place, (name, figures)) in self.groups.iter().enumerate() {
            let y = top + group * place as f64;
            picture.text((LEFT - 10.0, y + (group - GAP) / 2.0 + 4.0), Anchor::End, "label", name);
            for (row, (figure, (class, _))) in figures.iter().zip(&self.keys).enumerate() {
                let y = y + BAR * row as f64;
                picture.rectangle((LEFT, y), (x(*figure) - LEFT, BAR - 1.0), class);
                picture.text((x(*figure) + 6.0, y + 12.0), Anchor::Start, "label", &(self.write)(*figure));
            }
        }
        picture.finish()
    }
}
