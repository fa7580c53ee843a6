//! The documents.

use super::Document;
use super::random::Random;

const DOCUMENTS: u32 = 40;
const YEAR: u32 = 2023;

const DEPARTMENTS: [&str; 6] = ["engineering", "sales", "marketing", "support", "finance", "hr"];

/// Topics with a sentence that is in every document about them.
const TOPICS: [(&str, &str); 12] = [
    ("security", "Keys are rotated every quarter, and access is granted for one task at a time."),
    ("onboarding", "A new colleague has a mentor for the first six weeks."),
    ("remote work", "Whoever works from home agrees on core hours with the team."),
    ("travel", "Trips by train are booked without asking; flights need a reason."),
    ("expenses", "Receipts are handed in within thirty days."),
    ("pricing", "List prices change twice a year, discounts above a tenth are approved."),
    ("hiring", "Two people talk to every applicant and write down why they decided."),
    ("backup", "Copies are made every night and restored once a month to see that they can be."),
    ("privacy", "Data about people is deleted when nobody needs it any more."),
    ("quality", "Every defect that reached a customer gets a test."),
    ("suppliers", "Each supplier is looked at again after two years."),
    ("training", "Five days a year are for learning, whatever the workload."),
];
const KINDS: [&str; 5] = ["Guide to", "Policy on", "Report about", "Checklist for", "Questions about"];

pub(super) fn documents(seed: u64) -> Vec<Document> {
    let mut random = Random::new(seed, 5);
    (1..=DOCUMENTS).map(|number| document(number, &mut random)).collect()
}

fn document(number: u32, random: &mut Random) -> Document {
    let wanted = if random.chance(60) { 2 } else { 3 };
    let mut about: Vec<(&str, &str)> = Vec::new();
    while about.len() < wanted {
        let topic = random.pick(&TOPICS);
        if !about.contains(&topic) {
            about.push(topic);
        }
    }
    let first = about.first().map_or("", |(topic, _)| topic);
    let sentences: Vec<&str> = about.iter().map(|(_, sentence)| *sentence).collect();
    Document {
        id: format!("DOC-{number:03}"),
        title: format!("{} {first}", random.pick(&KINDS)),
        topics: about.iter().map(|(topic, _)| (*topic).to_owned()).collect(),
        department: random.pick(&DEPARTMENTS).to_owned(),
        content: sentences.join(" "),
        updated_at: random.day(YEAR),
    }
}
