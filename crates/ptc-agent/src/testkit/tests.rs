use super::*;

#[test]
fn every_kind_of_fault_is_one_of_all() {
    let kinds: Vec<Fault> = Fault::all().collect();
    // The number of a variant counts those before it: none is left out, and none is listed twice.
    assert_eq!(kinds.iter().map(|fault| *fault as usize).collect::<Vec<_>>(), (0..kinds.len()).collect::<Vec<_>>());
    assert_eq!(kinds.last(), Some(&Fault::CounterPanic), "the last variant");
}

#[test]
fn equal_seeds_draw_equal_faults() {
    let drawn = |seed| {
        let faults = Faults::new(seed).one_in(2).at_most(10);
        let all: Vec<_> = Fault::all().collect();
        let drawn: Vec<_> = (0..100).map(|_| faults.draw(&all)).collect();
        assert_eq!(faults.met().values().sum::<usize>(), 10);
        drawn
    };
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
}

#[test]
fn kinds_and_counts_bound_what_is_drawn() {
    let faults = Faults::new(1).one_in(1).only([Fault::DiskFull]);
    assert_eq!(faults.draw(&[Fault::NoReply]), None);
    assert_eq!(faults.draw(&[Fault::NoReply, Fault::DiskFull]), Some(Fault::DiskFull));
    let never = Faults::new(1).one_in(0);
    assert_eq!(never.draw(&[Fault::NoReply]), None);
}
