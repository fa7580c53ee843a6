//! `cargo xtask`: code generation and the checks that no compiler does.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    xtask::run(&arguments)
}
