//! Builtins that the compiler, the machine and other builtins know by number: the first rows of the function table.

use crate::value::BuiltinId;

macro_rules! known {
    ($($field:ident $name:literal)*) => {
        pub(crate) struct Known {
            $(pub $field: BuiltinId,)*
        }

        /// Their names, by number.
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        const KNOWN: &Known = &{
            let mut next = 0;
            Known { $($field: { next += 1; BuiltinId(next - 1) },)* }
        };
    };
}

known! {
    add "+"
    sub "-"
    mul "*"
    div "/"
    inc "inc"
    dec "dec"
    lt "<"
    eq "="
    not "not"
    compare "compare"
    get "get"
    get_in "get-in"
    first "first"
    seq "seq"
    not_empty "not-empty"
    is_empty "empty?"
    count "count"
    update "update"
    update_at "%update-at"
    update_in "update-in"
    inner_update_in "%update-in"
    inner_assoc "%assoc"
    put "%put"
    assoc_in "assoc-in"
    assoc "assoc"
    conj "conj"
    into "into"
    swap "swap!"
    vswap "vswap!"
    deref "deref"
    associative "associative?"
    map "map"
    mapv "mapv"
    filter "filter"
    filterv "filterv"
    remove "remove"
    keep "keep"
    reduce "reduce"
    some "some"
    every "every?"
    concat "concat"
    joined "%joined"
    map_indexed "map-indexed"
    keep_indexed "keep-indexed"
    reduce_kv "reduce-kv"
    seq_pattern "%seq-pattern"
    map_pattern "%map-pattern"
    nth_part "%nth"
    mapcat "mapcat"
    group_by "group-by"
    range "range"
    each "%for"
    each_concat "%for-cat"
    each_effect "%doseq"
    skip "%skip"
    stop "%stop"
    inner_replace "%replace"
    comp "comp"
    fnil "fnil"
    identity "identity"
    completing "completing"
    cat "cat"
    vec "vec"
    doall "doall"
    transduce "transduce"
    sequence "sequence"
    eduction "eduction"
    take "take"
    take_while "take-while"
    iterate "iterate"
    cons "cons"
    nth "nth"
    reset "reset!"
    vreset "vreset!"
    lazy "%lazy"
    unfold "%unfold"
    source "%source"
    apply "apply"
    whole "%whole"
    reduced "reduced"
}

#[inline]
pub(crate) const fn known() -> &'static Known {
    KNOWN
}
