//! A small writer of pictures in SVG: text and lines, so that a difference can be read in a review.

use std::fmt::{Arguments, Write as _};

use crate::markup_text;

/// Colours of series on light and on dark ground, distinguishable also without red and green.
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
/// Dashes of series, so that lines which overlap can be told apart.
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

const LIGHT: &str = "text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}\
.note{font-size:12px;fill:#59636e}.page{fill:#fff}.grid{stroke:#d8dee4}.mark{stroke:#1f2328;stroke-dasharray:4 3}\
.lead{stroke:#8c959f;stroke-dasharray:1 3}.met,.cached{fill:#0072b2}.near,.uncached{fill:#e6a700}.missed{fill:#c2410c}\
polyline,.line{fill:none;stroke:currentColor;stroke-width:2}circle{fill:currentColor}";
const DARK: &str = "text{fill:#e6edf3}.note{fill:#a7b3bd}.page{fill:#161b22}.grid{stroke:#30363d}.mark{stroke:#e6edf3}\
.met,.cached{fill:#4da3e0}.near,.uncached{fill:#f0b429}.missed{fill:#ff7a3d}";

/// Which end of a text its position names.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// The first character.
    Start,
    /// The middle.
    Middle,
    /// The last character.
    End,
}

/// A picture in progress. Lengths are pixels, positions from the top left corner; texts may be any text.
///
/// Classes name colours: those of the style sheet are `title`, `note`, `grid`, `mark`, `lead`, `met`, `near`, `missed`,
/// `cached`, `uncached`.
#[derive(Debug)]
pub struct Picture(String);

impl Picture {
    /// A picture for any page, light or dark: with a background, its style sheet and its title on top.
    #[must_use]
    pub fn new(width: f64, height: f64, title: &str) -> Picture {
        let mut picture = Picture::begun("xmlns=\"http://www.w3.org/2000/svg\" ", width, height, title);
        let series = |pick: fn(&(&'static str, &'static str)) -> &'static str| {
            let rules = SERIES.iter().enumerate().map(|(place, pair)| format!(".s{place}{{color:{}}}", pick(pair)));
            rules.collect::<String>()
        };
        let (light, dark) = (series(|pair| pair.0), series(|pair| pair.1));
        picture.add(format_args!("<style>{LIGHT}{light}@media(prefers-color-scheme:dark){{{DARK}{dark}}}</style>"));
        picture.add(format_args!("<rect width=\"100%\" height=\"100%\" class=\"page\"/>"));
        picture.text((8.0, 24.0), Anchor::Start, "title", title);
        picture
    }

    /// A picture inside a page, whose style sheet colours it.
    #[must_use]
    pub fn inside(width: f64, height: f64, title: &str) -> Picture {
        Picture::begun("", width, height, title)
    }

    fn begun(space: &str, width: f64, height: f64, title: &str) -> Picture {
        let mut picture = Picture(String::new());
        picture.add(format_args!(
            "<svg {space}viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\">\n<title>{}</title>",
            markup_text(title)
        ));
        picture
    }

    /// A line of text.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = markup_text(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// A text that reads upwards, for the axis on the left; the position is its middle.
    pub fn upwards(&mut self, (x, y): (f64, f64), text: &str) {
        let text = markup_text(text);
        self.add(format_args!(
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"note\">{text}</text>"
        ));
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"/>"
        ));
    }

    /// A square of a colour and its meaning; returns where the next one may begin.
    pub fn key(&mut self, (x, y): (f64, f64), class: &str, text: &str) -> f64 {
        self.rectangle((x, y - 11.0), (13.0, 13.0), class);
        self.text((x + 19.0, y), Anchor::Start, "note", text);
        x + 40.0 + 6.5 * text.chars().count() as f64
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.stroke(from, to, format_args!("class=\"{class}\""));
    }

    /// A dot.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" class=\"{class}\"/>"));
    }

    /// The line of a series, with a dot at each point.
    pub fn polyline(&mut self, points: &[(f64, f64)], series: usize) {
        let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (colour, dashes) = look(series);
        self.add(format_args!(
            "<polyline points=\"{}\" class=\"{colour}\" stroke-dasharray=\"{dashes}\"/>",
            list.join(" ")
        ));
        for point in points {
            self.dot(*point, 2.5, &colour);
        }
    }

    /// A piece of the line of a series and its name.
    pub fn series_key(&mut self, (x, y): (f64, f64), series: usize, text: &str) {
        let (colour, dashes) = look(series);
        let attributes = format_args!("class=\"line {colour}\" stroke-dasharray=\"{dashes}\"");
        self.stroke((x, y - 4.0), (x + 22.0, y - 4.0), attributes);
        self.text((x + 28.0, y), Anchor::Start, "label", text);
    }

    /// The whole text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    fn stroke(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), attributes: Arguments<'_>) {
        self.add(format_args!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>"));
    }

    fn add(&mut self, element: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{element}");
    }
}

/// The class that has the colour of a series, and its dashes.
fn look(series: usize) -> (String, &'static str) {
    let dashes = DASHES.get(series % DASHES.len()).copied().unwrap_or_default();
    (format!("s{}", series % SERIES.len()), dashes)
}

#[cfg(test)]
mod tests {
    use super::{Picture, SERIES};

    #[test]
    fn neighbouring_series_differ_in_colour_and_dashes() {
        let mut picture = Picture::new(200.0, 100.0, "Lines <1>");
        picture.polyline(&[(0.0, 1.0)], 0);
        picture.polyline(&[(0.0, 2.0)], 1);
        picture.series_key((0.0, 3.0), SERIES.len(), "again");
        let text = picture.finish();
        assert_eq!(text.matches("Lines &lt;1&gt;").count(), 2, "{text}");
        assert!(
            text.contains("class=\"s0\" stroke-dasharray=\"none\"")
                && text.contains("class=\"s1\" stroke-dasharray=\"7 4\"")
        );
        assert!(text.contains("class=\"line s0\" stroke-dasharray=\"7 4\""), "{text}");
    }

    #[test]
    fn a_picture_inside_a_page_leaves_colours_to_it() {
        let text = Picture::inside(20.0, 10.0, "x").finish();
        assert_eq!(text, "<svg viewBox=\"0 0 20 10\" width=\"20\" role=\"img\">\n<title>x</title>\n</svg>\n");
    }
}
