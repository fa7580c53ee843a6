use proptest::prelude::*;

use super::super::commands;
use super::super::names::tests::known;
use super::*;

/// The completions of the word at `|`, after its start.
fn proposed(line: &str) -> String {
    let (at, found) = completed(&line.replace('|', ""), line.find('|').unwrap(), &known(), commands::completed);
    format!("{at}: {}", found.join(" "))
}

#[test]
fn words_are_completed_by_what_they_are() {
    let shown = [
        "(tool/r|",
        "(map data/|",
        "(:o|",
        "(str/tri| \"x\")",
        "(area (fi|) 2)",
        "\"tool/r|",
        "; tool/r|",
        "(|",
        "(f 12|",
    ];
    let shown: Vec<String> =
        shown.iter().map(|line| format!("{line}  {}", proposed(line)).trim_end().to_owned()).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    (tool/r|  1: tool/rate tool/reset
    (map data/|  5: data/orders
    (:o|  1: :order-total :own
    (str/tri| "x")  1: str/trim str/trim-newline str/triml str/trimr
    (area (fi|) 2)  7: filter filterv find find-keyword first
    "tool/r|  7:
    ; tool/r|  8:
    (|  1: area data/orders rest-of tool/rate tool/reset
    (f 12|  5:
    "#);
}

#[test]
fn commands_are_completed_with_what_is_behind_them() {
    let shown = [":|", ":t|", ":doc tool/ra|", ":data o|", ":limits t|", ":time |", ":quit |"];
    let shown: Vec<String> =
        shown.iter().map(|line| format!("{line}  {}", proposed(line)).trim_end().to_owned()).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    :|  0: :help :doc :data :tools :memory :limits :all :table :load :save :time :reset :quit
    :t|  0: :tools :table :time
    :doc tool/ra|  5: tool/rate
    :data o|  6: orders
    :limits t|  8: time=
    :time |  6: on off
    :quit |  6:
    ");
}

#[test]
fn the_call_around_the_cursor_is_explained() {
    let names = known();
    let told = |line: &str| usage(&line.replace('|', ""), line.find('|').unwrap(), &names).map(str::to_owned);
    let shown = [
        "(map |",
        "(map|",
        "(map inc |)",
        "(area 1 (str/trim |))",
        "(let [a |",
        "(tool/rate {|",
        "(tool/rate |",
        "(nope |",
        "map |",
        "(map inc | [1])",
        ":doc |",
    ];
    let shown: Vec<String> =
        shown.iter().map(|line| format!("{line}  {}", told(line).unwrap_or_default()).trim_end().to_owned()).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    (map |  (map f)  (map f & colls)
    (map|
    (map inc |)  (map f)  (map f & colls)
    (area 1 (str/trim |))  (trim s)
    (let [a |
    (tool/rate {|
    (tool/rate |  tool/rate (nights :int) -> :float
    (nope |
    map |
    (map inc | [1])
    :doc |
    ");
}

#[test]
fn programs_have_colours_by_their_names() {
    let painted =
        |text: &str, cursor| painted(text, cursor, &known()).replace("\u{1b}[0m", "⟩").replace("\u{1b}[", "⟨");
    insta::assert_snapshot!(painted("(let [x (area 1 \"a\")] (map tool/rate data/orders)) ; :k", None), @r#"(⟨1;34mlet⟩ [x (⟨1marea⟩ ⟨36m1⟩ ⟨32m"a"⟩)] (⟨34mmap⟩ ⟨1;33mtool/rate⟩ ⟨33mdata/orders⟩)) ⟨2m; :k⟩"#);
    insta::assert_snapshot!(painted("(nope :k #_x) )", None), @"(nope ⟨35m:k⟩ ⟨2m#_⟩x) ⟨31m)⟩");
    insta::assert_snapshot!(painted("(a [b])", Some(0)), @"⟨1;7m(⟩a [b]⟨1;7m)⟩");
    insta::assert_snapshot!(painted("(a [b])", Some(7)), @"⟨1;7m(⟩a [b]⟨1;7m)⟩");
    insta::assert_snapshot!(painted("(a [b)", Some(6)), @"(a [b⟨31m)⟩");
    insta::assert_snapshot!(painted_input(":doc map", None, &known()).replace('\u{1b}', ""), @"[1;34m:doc[0m map");
}

#[test]
fn an_input_goes_on_until_its_forms_are_closed() {
    for text in ["(defn f [x]", "\"a (", "#\"[\"", "(a) #_", "'"] {
        assert_eq!(goes_on(text), text != "#\"[\"", "{text}");
    }
    for text in [":doc (", ":save \"x", "(a))", "; (", "", "(]"] {
        assert!(!goes_on(text), "{text}");
    }
}

proptest! {
    /// No input breaks anything during typing, and colours change nothing but colours.
    #[test]
    fn any_input_can_be_typed(line in "[\\PC\n]{0,30}|[():\\[\\]{}\"'#; a/data/tool/map\n]{0,40}", cursor in any::<prop::sample::Index>()) {
        let names = known();
        let places: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let pos = places[cursor.index(places.len())];
        let (start, _) = completed(&line, pos, &names, commands::completed);
        prop_assert!(start <= pos && line.is_char_boundary(start));
        usage(&line, pos, &names);
        goes_on(&line);
        let shown = painted_input(&line, Some(pos), &names);
        let parts = shown.split('\u{1b}').enumerate().map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 });
        prop_assert_eq!(parts.collect::<String>(), line);
    }
}
