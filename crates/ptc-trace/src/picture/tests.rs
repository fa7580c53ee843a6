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
