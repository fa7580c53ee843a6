//! Rust of the documentation, compiled and run by `cargo test --doc -p ptc-tests`: one item for each page that has some.
//!
//! A test of ptc-cli (`tests/command/book.rs`) fails when a page with Rust is missing here.

/// A page whose Rust fences are doctests.
macro_rules! pages {
    ($($name:ident $path:literal,)+) => {
        $(#[doc = include_str!($path)] pub mod $name {})+
    };
}

pages! {
    readme "../../README.md",
    debugging "../../docs/guide/debugging.md",
    embedding "../../docs/guide/embedding.md",
    evaluation "../../docs/guide/evaluation.md",
    mcp "../../docs/guide/mcp.md",
    models "../../docs/guide/models.md",
    prompt "../../docs/guide/prompt.md",
    strategies "../../docs/guide/strategies.md",
    tools "../../docs/guide/tools.md",
    viewer "../../docs/guide/viewer.md",
}
