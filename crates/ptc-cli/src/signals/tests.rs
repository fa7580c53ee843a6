#[cfg(unix)]
#[test]
fn the_mask_of_ignored_signals_is_read() {
    assert!(super::ignores_hang_up("Name:\tptc\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000000\n"));
    assert!(!super::ignores_hang_up("Name:\tptc\nSigIgn:\t0000000000001000\nSigCgt:\t0000000000000001\n"));
    assert!(!super::ignores_hang_up(""));
}
