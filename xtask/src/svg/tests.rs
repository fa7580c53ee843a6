use super::{Anchor, SERIES, Svg};

/// The value of `attribute` of an element, as a number.
fn number(element: &str, attribute: &str) -> Option<f64> {
    element.split_once(&format!("{attribute}=\""))?.1.split('"').next()?.parse().ok()
}

/// Texts of a picture that would be cut at its left or right, for a generous width of characters.
pub(crate) fn cut(svg: &str) -> Vec<String> {
    let width = number(svg, "width").unwrap();
    let is_cut = |element: &&str| {
        let Some(x) = number(element, "x") else { return false };
        let text =
            element.split_once('>').unwrap().1.split('<').next().unwrap().replace("&lt;", "<").replace("&gt;", ">");
        let length = 7.2 * text.chars().count() as f64;
        let left = match element {
            element if element.contains("\"end\"") => x - length,
            element if element.contains("\"middle\"") => x - length / 2.0,
            _ => x,
        };
        left < 0.0 || left + length > width
    };
    svg.lines().filter(|line| line.starts_with("<text")).filter(is_cut).map(str::to_owned).collect()
}

#[test]
fn series_of_one_colour_differ_in_their_dashes() {
    let mut svg = Svg::new(200.0, 100.0, "Lines <1>");
    svg.polyline(&[(0.0, 1.0)], 0);
    svg.polyline(&[(0.0, 2.0)], SERIES.len());
    let text = svg.finish();
    assert!(text.contains("Lines &lt;1&gt;"), "{text}");
    assert_eq!(text.matches("class=\"s0\"").count(), 4, "{text}");
    assert_eq!(text.matches("dasharray=\"6 4\"/>").count(), 1, "{text}");
}

#[test]
fn texts_that_leave_the_picture_are_noticed() {
    let mut svg = Svg::new(200.0, 100.0, "");
    svg.text(100.0, 20.0, Anchor::Middle, "label", "inside");
    svg.text(20.0, 20.0, Anchor::End, "label", "left of it");
    svg.text(180.0, 20.0, Anchor::Start, "label", "right of it");
    assert_eq!(cut(&svg.finish()).len(), 2);
}
