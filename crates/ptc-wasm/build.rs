//! The stack of the module: 1 MiB, the default of the linker, written down because the interpreter is measured against
//! it.

#![forbid(unsafe_code)]

/// Bytes of stack that the module has. `tests/wasm/run` runs the deepest programs on it.
const STACK: usize = 1 << 20;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let family = std::env::var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    if family.split(',').any(|one| one == "wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
