use serde_json::json;

use super::*;

fn image(bytes: usize, fill: char) -> Json {
    json!({"type": "image", "mimeType": "image/png", "data": fill.to_string().repeat(bytes)})
}

#[test]
fn equal_blocks_are_one_and_the_oldest_make_way() {
    let kept = Attachments::default();
    let first = kept.keep(image(8, 'a'));
    assert_eq!(kept.keep(image(8, 'a')), first);
    assert_eq!(lock(&kept.0).order.len(), 1);
    let last = "bcdefgh".chars().map(|fill| kept.keep(image(10 << 20, fill))).last().unwrap();
    assert_eq!((kept.block(&first), kept.block(&last).is_some()), (None, true));
    let Kept { bytes, blocks, order } = &*lock(&kept.0);
    assert!(*bytes <= MAX_KEPT && blocks.len() == 6 && order.len() == 6, "{bytes}");
}

#[test]
fn what_is_not_attached_is_said() {
    let kept = Attachments::default();
    let names = ["a", "b", "c"].map(|fill| kept.keep(image(3 << 19, fill.chars().next().unwrap())));
    let image = |name: &str| json!({"type": "image", "ref": name});
    let value = json!([{"x": image(&names[0])}, image(&names[1]), image(&names[2]), image(&names[0]), image("attachment:none")]);
    let (attached, cut) = kept.referred(&value);
    assert_eq!(attached, names[..2]);
    assert_eq!(
        cut,
        [
            "attachments: 1 more; an answer has at most 4 MB of them: return fewer",
            "attachments: 1 are no longer kept: call their tools again"
        ]
    );
    // What a program calls `ref` is its own affair.
    assert_eq!(kept.referred(&json!({"ref": "main", "type": "branch"})), (vec![], vec![]));
}
