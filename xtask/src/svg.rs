//! A small writer of SVG: shapes with a class each, coloured by one style sheet for light and dark pages.

use std::fmt::Write as _;

/// Colours of the series, told apart also without red and green.
const SERIES: [&str; 10] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#7a7a00", "#8a5fbf", "#5b6770", "#b04a5a"];

const STYLE: &str = "\
text{font:12px system-ui,sans-serif;fill:#333}\
.title{font-size:14px;font-weight:600}\
.grid{stroke:#ddd}\
.mark{stroke:#333;stroke-dasharray:4 3}\
.met{fill:#0072b2}\
.missed{fill:#d55e00}\
.cached{fill:#0072b2}\
.uncached{fill:#e69f00}\
polyline{fill:none;stroke-width:2}\
@media(prefers-color-scheme:dark){svg{background:#161b22}text{fill:#ddd}.grid{stroke:#333}.mark{stroke:#ddd}}";

/// Which end of a text its position names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture under way; all lengths are pixels, from the top left corner.
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
        svg.element(&format!("<style>{STYLE}</style>"));
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

    pub(crate) fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        self.element(&format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"/>"
        ));
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.element(&format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"));
    }

    /// The line of a series, with a dot at each point.
    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], series: usize) {
        let colour = colour(series);
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.element(&format!("<polyline points=\"{}\" stroke=\"{colour}\"/>", list.join(" ")));
        for (x, y) in points {
            self.element(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"));
        }
    }

    /// The name of a series in its colour.
    pub(crate) fn series_label(&mut self, x: f64, y: f64, series: usize, text: &str) {
        let (colour, text) = (colour(series), escaped(text));
        self.element(&format!("<text x=\"{x:.1}\" y=\"{y:.1}\" style=\"fill:{colour}\">{text}</text>"));
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

fn colour(series: usize) -> &'static str {
    SERIES.iter().copied().cycle().nth(series % SERIES.len()).unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
