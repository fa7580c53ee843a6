use crate::optimize::tests::ending;

#[test]
fn a_store_of_what_was_read_gives_what_it_gives_in_two_steps() {
    let stores = [
        "(conj @c 3)",
        "(assoc @c 0 :x)",
        "(assoc @c 0 (count @c))",
        "(update @c 0 (fn [x] [x @c]))",
        "(into @c [(first @c)])",
        "(conj @d @c)",
        "(conj @c (do (vreset! c [9]) 1))",
        "(conj @c @d)",
        "(map inc @c)",
        "(count @c)",
        "(get @c 0)",
        "(disj @c 1)",
    ];
    for (store, content) in
        stores.iter().flat_map(|store| ["[1 2]", "#{1}", "nil", "7"].map(|content| (store, content)))
    {
        let around = |store: &str| {
            format!(
                "(let [c (volatile! {content}) d (volatile! [5])] (try [(vreset! c {store}) @c @d] (catch Exception e :error)))"
            )
        };
        // A read through another name is not a content to be changed in place.
        let apart = format!("(let [made {store}] made)");
        assert_eq!(ending(&around(store)).0, ending(&around(&apart)).0, "{store} {content}");
        let of_atom = |text: String| text.replace("vreset!", "reset!").replace("volatile!", "atom");
        assert_eq!(ending(&of_atom(around(store))).0, ending(&of_atom(around(&apart))).0, "{store} {content}");
    }
}

#[test]
fn what_is_stored_grows_in_place() {
    for (cell, store) in [("volatile!", "vreset!"), ("atom", "reset!")] {
        let program = |n: usize, store: &str| {
            format!("(let [c ({cell} (vec (range 200)))] (dotimes [i {n}] ({store} c (conj @c i))) (count @c))")
        };
        assert_eq!(ending(&program(50, store)).0, "250");
        let in_two = |n: usize| ending(&program(n, store).replace("(conj @c i)", "(let [v @c] (conj v i))")).1;
        let in_place = |n: usize| ending(&program(n, store)).1;
        assert!(in_place(50) - in_place(10) < (in_two(50) - in_two(10)) / 2, "{store}: a copy costs fuel");
    }
}
