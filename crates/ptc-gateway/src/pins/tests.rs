use proptest::prelude::*;
use ptc_lisp::ToolSpec;
use ptc_mcp::ServerTool;

use super::*;

fn offer(server: &str, tool: &str, contract: &str) -> OfferedTool {
    let spec = ToolSpec::new(format!("{server}-{tool}"));
    let mut offer = OfferedTool::new(ServerTool::without_server(&spec), &spec);
    (offer.said.server, offer.said.tool, offer.said.contract) = (server.to_owned(), tool.to_owned(), contract.into());
    offer
}

fn marked(pins: &Pins, offers: &[OfferedTool]) -> Vec<Option<Unreviewed>> {
    let mut offers = offers.to_vec();
    pins.mark(&mut offers);
    offers.iter().map(|offer| offer.unreviewed).collect()
}

#[test]
fn what_is_new_or_changed_is_marked_until_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pins.json");
    let pins = Pins::open(path.clone(), PinnedServers::Named(vec!["a".to_owned(), "b".to_owned()])).unwrap();
    let before = [offer("a", "x", "1"), offer("a", "y", "1"), offer("c", "x", "1"), offer("", "own", "")];
    assert_eq!(marked(&pins, &before), [None; 4], "as first seen");
    let after =
        [offer("a", "x", "2"), offer("a", "z", "1"), offer("c", "x", "2"), offer("b", "x", "1"), offer("a", "y", "1")];
    let differs = [Some(Unreviewed::Changed), Some(Unreviewed::New), None, None, None];
    assert_eq!(marked(&pins, &after), differs);
    // Also for the next gateway, and after a review of another server.
    let pins = Pins::open(path.clone(), PinnedServers::All).unwrap();
    assert_eq!(marked(&pins, &after)[..2], differs[..2]);
    pins.accept(Some("b"), after.iter()).unwrap();
    assert_eq!(marked(&pins, &after)[..2], differs[..2]);
    pins.accept(None, after.iter()).unwrap();
    assert_eq!(marked(&pins, &after), [None; 5]);
    assert_eq!(marked(&pins, &before)[0], Some(Unreviewed::Changed), "what was before is no longer reviewed");
    fs::write(&path, "{").unwrap();
    assert!(Pins::open(path, PinnedServers::All).unwrap_err().to_string().contains("pins.json"));
    assert_eq!(marked(&pins, &after), [Some(Unreviewed::Changed); 5], "nothing is known of them");
}

#[test]
fn what_cannot_be_written_down_is_not_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let pins = Pins::open(folder.path().join("nothing/pins.json"), PinnedServers::All).unwrap();
    assert_eq!(marked(&pins, &[offer("a", "x", "1")]), [Some(Unreviewed::New)]);
}

proptest! {
    /// Whatever a server lists next: exactly what it did not list so before is marked.
    #[test]
    fn exactly_the_differences_are_marked(
        before in prop::collection::btree_map("[a-d]", 0..3_u8, 1..5), after in prop::collection::btree_map("[a-d]", 0..3_u8, 0..5)
    ) {
        let folder = tempfile::tempdir().unwrap();
        let pins = Pins::open(folder.path().join("pins.json"), PinnedServers::All).unwrap();
        let offers = |tools: &BTreeMap<String, u8>| {
            tools.iter().map(|(tool, contract)| offer("s", tool, &contract.to_string())).collect::<Vec<_>>()
        };
        pins.mark(&mut offers(&before));
        let expected: Vec<Option<Unreviewed>> = after.iter().map(|(tool, contract)| match before.get(tool) {
            None => Some(Unreviewed::New),
            Some(known) => (known != contract).then_some(Unreviewed::Changed),
        }).collect();
        prop_assert_eq!(marked(&pins, &offers(&after)), expected);
    }
}
