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
