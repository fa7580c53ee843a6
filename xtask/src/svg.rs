//! A small writer of SVG: shapes with a class each, coloured by one style sheet for light and dark pages. A picture has
//! a background, so that it can be read on any page.

#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write as _;

/// Colours of the series on light and on dark ground, distinguishable also without red and green.
const SERIES: [(&str, &str); 10] = [
    ("#0072b2", "#4da3e0"),
    ("#c77700", "#f0b429"),
    ("#00875f", "#2cc99a"),
    ("#b85c93", "#e79cc6"),
    ("#d55e00", "#ff8a3d"),
    ("#2b8cc4", "#8fd3ff"),
    ("#7a7a00", "#c9c94a"),
    ("#8a5fbf", "#b794f4"),
    ("#5b6770", "#a7b3bd"),
    ("#b04a5a", "#f08a9a"),
];

const LIGHT: &str = "\
text{font:13px system-ui,sans-serif;fill:#1f2328}\
.title{font-size:15px;font-weight:600}\
.note{font-size:12px;fill:#59636e}\
.page{fill:#fff}\
.grid{stroke:#d8dee4}\
.mark{stroke:#1f2328;stroke-dasharray:4 3}\
.lead{stroke:#8c959f;stroke-dasharray:1 3}\
.met{fill:#0072b2}\
.near{fill:#e6a700}\
.missed{fill:#c2410c}\
.cached{fill:#0072b2}\
.uncached{fill:#e6a700}\
polyline,.line{fill:none;stroke:currentColor;stroke-width:2}\
circle{fill:currentColor}";

const DARK: &str = "\
text{fill:#e6edf3}\
.note{fill:#a7b3bd}\
.page{fill:#161b22}\
.grid{stroke:#30363d}\
.mark{stroke:#e6edf3}\
.met,.cached{fill:#4da3e0}\
.near,.uncached{fill:#f0b429}\
.missed{fill:#ff7a3d}";

/// Which end of a text its position names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture in progress; all lengths are pixels, from the top left corner.
#[derive(Debug)]
pub(crate) struct Svg(String);

impl Svg {
    /// An empty picture; `title` is what a screen reader says.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Svg {
        let mut svg = Svg(String::new());
        svg.element(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">"
        ));
        svg.element(&format!("<title>{}</title>", escaped(title)));
        svg.element(&format!("<style>{}</style>", style()));
        svg.element("<rect width=\"100%\" height=\"100%\" class=\"page\"/>");
        svg
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.element(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// A text that reads upwards, for the axis on the left; the position is its middle.
    pub(crate) fn upwards(&mut self, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        self.element(&format!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"note\">{text}</text>"
        ));
    }

    pub(crate) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        self.element(&format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"/>"
        ));
    }

    /// A square of a colour and its meaning.
    pub(crate) fn key(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.rectangle(x, y - 11.0, 13.0, 13.0, class);
        self.text(x + 19.0, y, Anchor::Start, "note", text);
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.element(&format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"));
    }

    /// The line of a series, with a dot at each point.
    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], series: usize) {
        let (class, dashes) = (colour(series), dashes(series));
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.element(&format!("<polyline points=\"{}\" class=\"{class}\"{dashes}/>", list.join(" ")));
        for (x, y) in points {
            self.element(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"{class}\"/>"));
        }
    }

    /// A piece of the line of a series and its name.
    pub(crate) fn series_key(&mut self, x: f64, y: f64, series: usize, text: &str) {
        let (class, dashes) = (colour(series), dashes(series));
        let (end, middle) = (x + 20.0, y - 4.0);
        self.element(&format!(
            "<line x1=\"{x:.1}\" y1=\"{middle:.1}\" x2=\"{end:.1}\" y2=\"{middle:.1}\" class=\"line {class}\"{dashes}/>"
        ));
        self.text(x + 26.0, y, Anchor::Start, "label", text);
    }

    /// The whole text.
    pub(crate) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn element(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{text}");
    }
}

fn style() -> String {
    let series = |pick: fn(&(&'static str, &'static str)) -> &'static str| {
        SERIES.iter().enumerate().map(|(place, pair)| format!(".s{place}{{color:{}}}", pick(pair))).collect::<String>()
    };
    format!("{LIGHT}{}@media(prefers-color-scheme:dark){{{DARK}{}}}", series(|pair| pair.0), series(|pair| pair.1))
}

/// The class that has the colour of a series.
fn colour(series: usize) -> String {
    format!("s{}", series % SERIES.len())
}

/// A series whose colour is already used is dashed.
fn dashes(series: usize) -> &'static str {
    if series < SERIES.len() { "" } else { " stroke-dasharray=\"6 4\"" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
