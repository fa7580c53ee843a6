//! Images, sounds and resources of results, which programs see as references and clients as blocks of an answer.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::ask::lock;

/// Bytes of all blocks that are kept. The oldest make way.
const MAX_KEPT: usize = 64 << 20;

/// Bytes of the blocks of one answer: as many as a request may have.
pub(crate) const MAX_ATTACHED: usize = 4 << 20;

/// What a block takes beside its text.
const OVERHEAD: usize = 200;

/// How references begin.
const PREFIX: &str = "attachment:";

/// The blocks of recent results, by their references.
#[derive(Default)]
pub(crate) struct Attachments(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    blocks: HashMap<String, (Json, usize)>,
    order: VecDeque<String>,
    bytes: usize,
}

impl Attachments {
    /// Keep a block. Its reference is made of its content, so that it is the same when a program is resumed.
    pub fn keep(&self, block: Json) -> String {
        let text = block.to_string();
        let digest = Sha256::digest(text.as_bytes());
        let digest: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{PREFIX}{digest}");
        let bytes = text.len();
        let mut kept = lock(&self.0);
        if kept.blocks.contains_key(&name) {
            return name;
        }
        kept.bytes += bytes + OVERHEAD;
        kept.blocks.insert(name.clone(), (block, bytes));
        kept.order.push_back(name.clone());
        while kept.bytes > MAX_KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            let bytes = kept.blocks.remove(&oldest).map_or(0, |(_, bytes)| bytes + OVERHEAD);
            kept.bytes -= bytes;
        }
        name
    }

    /// The block of a reference, while it is kept.
    pub fn block(&self, name: &str) -> Option<Json> {
        lock(&self.0).blocks.get(name).map(|(block, _)| block.clone())
    }

    /// The references in a value whose blocks fit into an answer, each once; and what is wrong with the others.
    pub fn referred(&self, value: &Json) -> (Vec<String>, Vec<String>) {
        let mut names = Vec::new();
        references(value, &mut names);
        let kept = lock(&self.0);
        let (mut attached, mut cut, mut left) = (Vec::new(), Vec::new(), MAX_ATTACHED);
        let (mut gone, mut large) = (0, 0);
        for name in names {
            match kept.blocks.get(name) {
                None => gone += 1,
                Some((_, bytes)) => match left.checked_sub(*bytes) {
                    Some(rest) => {
                        left = rest;
                        attached.push(name.to_owned());
                    }
                    None => large += 1,
                },
            }
        }
        if large > 0 {
            let most = MAX_ATTACHED >> 20;
            cut.push(format!("attachments: {large} more; an answer has at most {most} MB of them: return fewer"));
        }
        if gone > 0 {
            cut.push(format!("attachments: {gone} are no longer kept: call their tools again"));
        }
        (attached, cut)
    }
}

/// The references in a value, in order, each once.
fn references<'v>(value: &'v Json, names: &mut Vec<&'v str>) {
    match value {
        Json::Array(items) => items.iter().for_each(|item| references(item, names)),
        Json::Object(fields) => {
            let name = fields.get("ref").and_then(Json::as_str).filter(|name| name.starts_with(PREFIX));
            names.extend(name.filter(|name| !names.contains(name)));
            fields.values().for_each(|item| references(item, names));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
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
}
