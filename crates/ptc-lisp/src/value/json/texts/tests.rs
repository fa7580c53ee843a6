use super::*;

#[test]
fn growing_forgets_nothing() {
    let mut texts = Texts::default();
    for n in 0..40 {
        texts.value(&format!("text {n}"));
    }
    let remembered: Vec<Text> = texts.places.iter().flatten().cloned().collect();
    assert!(remembered.len() > 20, "{}", remembered.len());
    texts.grow();
    for text in remembered {
        let again = texts.value(text.as_str());
        assert!(matches!(&again, Value::Str(other) if other.address() == text.address()), "{again:?}");
    }
}

#[test]
fn states_stay_shared_beside_any_number_of_ids() {
    let mut texts = Texts::default();
    texts.grow();
    // Hashes have another seed in each process: two states with the same places would alternate.
    let mut places = Vec::new();
    let apart: Vec<String> = (0..)
        .map(|n| format!("state {n}"))
        .filter(|name| {
            let place = texts.places_of(name);
            let is_free = !places.contains(&place);
            places.push(place);
            is_free
        })
        .take(3)
        .collect();
    let states: Vec<Value> = apart.iter().map(|state| texts.value(state)).collect();
    let address = |value: &Value| if let Value::Str(text) = value { Some(text.address()) } else { None };
    for n in 0..100_000 {
        texts.value(&format!("order {n}"));
        let state = states.get(n % 3).unwrap();
        let again = texts.value(state.as_str().unwrap());
        assert_eq!(address(&again), address(state), "after {n} orders");
    }
}
