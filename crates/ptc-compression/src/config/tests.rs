use super::*;

fn name(config: impl Into<CompressionConfig>) -> Option<String> {
    normalize(config).map(|strategy| strategy.name().to_owned())
}

/// Proves: API-001, API-003, API-006, ARC-005, AMB-006, CHG-002.
#[test]
fn every_way_to_say_it() {
    let default = Some("single-user-coalesced".to_owned());
    assert_eq!(name(true), default);
    assert_eq!(name(SingleUserCoalesced::default()), default);
    assert_eq!(name(Some(SingleUserCoalesced::default())), default);
    assert_eq!(name(Arc::new(SingleUserCoalesced::default()) as Arc<dyn Compression>), default);
    assert_eq!(name(false), None);
    assert_eq!(name(None::<SingleUserCoalesced>), None);
    assert_eq!(name(CompressionConfig::default()), None);
}

/// Proves: SS-001.
#[test]
fn a_single_turn_has_no_history_to_compress() {
    let on = CompressionConfig::from(true);
    assert_eq!((on.is_active(1, 0), on.is_active(1, 2), on.is_active(2, 0)), (false, true, true));
    assert!(!CompressionConfig::from(false).is_active(9, 9));
}

#[test]
fn a_ceiling_needs_no_strategy() {
    let ceiling = CompressionConfig::from(Ceiling::new(900, crate::ByteBound));
    assert_eq!(ceiling.ceiling().map(Ceiling::max_tokens), Some(900));
    assert!(ceiling.strategy().is_none() && !ceiling.is_active(9, 9));
}
