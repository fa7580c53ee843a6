//! `cargo xtask wasm`: the package for JavaScript, and the playground: a page in one file that loads nothing. Its style, colours and
//! elements are those of the pages of runs.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::bench::tool;
use crate::codegen::write_file;
use crate::words::Words;
use crate::workspace::text_at;
use crate::{Failure, Problem, Workspace};

const TARGET: &str = "wasm32-unknown-unknown";
const CARGO: &str = "PTC_WASM_CARGO";
const BINDGEN: &str = "PTC_WASM_BINDGEN";
const CRATE: &str = "crates/ptc-wasm";

const VIEWER: &str = "crates/ptc-trace/src/viewer";
const PLAYGROUND: &str = "crates/ptc-wasm/playground";

/// The parts of the script, which share one scope: those of the viewer first.
const SHARED: [&str; 3] = ["js/dom.js", "js/format.js", "js/lisp.js"];
const OWN: [&str; 4] = ["engine.js", "editor.js", "results.js", "playground.js"];

const USAGE: &str = "\
usage: cargo xtask wasm [--out DIR]

  Builds crates/ptc-wasm for browsers: DIR/pkg is a package for JavaScript, DIR/playground.html the playground in one
  file. DIR is target/wasm by default. Needs `rustup target add wasm32-unknown-unknown` and wasm-bindgen-cli of the
  release in Cargo.lock. PTC_WASM_CARGO names another cargo, PTC_WASM_BINDGEN another wasm-bindgen.";

/// Builds both, and prints their sizes.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, USAGE);
    let out = words.value::<PathBuf>("--out")?.unwrap_or_else(|| target_folder(workspace).join("wasm"));
    let out = std::path::absolute(&out).map_err(Failure::file(&out))?;
    words.end()?;
    let bindgen = bindgen(workspace)?;
    let module = build(workspace)?;
    let package = out.join("pkg");
    fs::create_dir_all(&package).map_err(Failure::file(&package))?;
    bind(&bindgen, &module, "web", &package)?;
    write_file(&package.join("package.json"), &format!("{:#}\n", manifest(workspace)?))?;
    write_file(&package.join("README.md"), &workspace.read(Path::new(CRATE).join("README.md"))?)?;

    let wasm = package.join("ptc_wasm_bg.wasm");
    let wasm = fs::read(&wasm).map_err(Failure::file(&wasm))?;
    // A page from a file has no origin, so its workers cannot be modules: theirs is a script.
    let scripts = out.join("script");
    bind(&bindgen, &module, "no-modules", &scripts)?;
    let glue = scripts.join("ptc_wasm.js");
    let glue = fs::read_to_string(&glue).map_err(Failure::file(&glue))?;
    let packed = packed(&wasm).map_err(Failure::file(&package))?;
    let page = page(workspace, &glue, &packed)?;
    let path = out.join("playground.html");
    write_file(&path, &page)?;
    println!("{}: module {} bytes, {} with gzip", package.display(), wasm.len(), packed.len());
    println!("{}: {} bytes", path.display(), page.len());
    Ok(Vec::new())
}

/// The module as Cargo writes it. Errors when no cargo is named, and this toolchain has no standard library for the target.
fn build(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let cargo = match std::env::var_os(CARGO) {
        Some(cargo) => cargo,
        None => {
            let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
            let sysroot = tool::output(tool::command(Path::new(&rustc), &["--print", "sysroot"]))?;
            if !Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).exists() {
                let text = format!(
                    "this toolchain has no standard library for {TARGET}: run `rustup target add {TARGET}`, or name another cargo in {CARGO}"
                );
                return Err(Failure::measured("cargo xtask wasm", text));
            }
            std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
        }
    };
    let target = target_folder(workspace);
    let arguments =
        ["build", "--profile", "wasm", "--target", TARGET, "--package", "ptc-wasm", "--lib", "--target-dir"];
    done(Command::new(cargo).args(arguments).arg(&target).current_dir(workspace.root()))?;
    Ok(target.join(TARGET).join("wasm/ptc_wasm.wasm"))
}

fn target_folder(workspace: &Workspace) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.root().join("target"), PathBuf::from)
}

/// The path of `wasm-bindgen`. Errors when it is not of the release in `Cargo.lock`: the two would not understand each
/// other.
fn bindgen(workspace: &Workspace) -> Result<OsString, Failure> {
    let wanted = locked(&workspace.read("Cargo.lock")?, "wasm-bindgen").unwrap_or_default();
    let path = std::env::var_os(BINDGEN).unwrap_or_else(|| "wasm-bindgen".into());
    let install = format!("run `cargo install wasm-bindgen-cli --version {wanted}`, or name another one in {BINDGEN}");
    let failure = |text: String| Failure::measured("wasm-bindgen", text);
    let found = tool::output(tool::command(Path::new(&path), &["--version"]))
        .map_err(|error| failure(format!("{error}; {install}")))?;
    match found.split_whitespace().nth(1).unwrap_or("of no version") {
        found if found == wanted => Ok(path),
        found => Err(failure(format!("{found} is installed, {wanted} is needed; {install}"))),
    }
}

/// The version of a package in a lock file.
fn locked(lock: &str, package: &str) -> Option<String> {
    let lock: toml::Table = lock.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let named = |one: &&toml::Value| one.get("name").and_then(toml::Value::as_str) == Some(package);
    packages.iter().find(named)?.get("version")?.as_str().map(str::to_owned)
}

/// Writes the JavaScript of a module, of one of the kinds that `wasm-bindgen` knows.
fn bind(bindgen: &OsString, module: &Path, kind: &str, folder: &Path) -> Result<(), Failure> {
    let flags = ["--target", kind, "--remove-name-section", "--remove-producers-section", "--out-dir"];
    done(Command::new(bindgen).args(flags).arg(folder).arg(module))
}

/// What npm reads of the package.
fn manifest(workspace: &Workspace) -> Result<serde_json::Value, Failure> {
    let own = workspace.manifest(Path::new(CRATE).join("Cargo.toml"))?;
    let root = workspace.manifest("Cargo.toml")?;
    let shared = |key: &str| text_at(&root, &format!("workspace.package.{key}")).unwrap_or_default();
    Ok(json!({
        "name": "ptc-wasm",
        "version": shared("version"),
        "description": text_at(&own, "package.description"),
        "license": format!("({})", shared("license")),
        "repository": shared("repository"),
        "type": "module",
        "main": "ptc_wasm.js",
        "types": "ptc_wasm.d.ts",
        "files": ["ptc_wasm.js", "ptc_wasm.d.ts", "ptc_wasm_bg.wasm", "ptc_wasm_bg.wasm.d.ts"],
        "sideEffects": false,
    }))
}

/// Runs a command whose output is shown as it comes.
fn done(command: &mut Command) -> Result<(), Failure> {
    let text = match command.status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => format!("ended with {status}"),
        Err(error) => error.to_string(),
    };
    Err(Failure::measured(command.get_program().to_string_lossy(), text))
}

/// A module as browsers unpack it.
fn packed(module: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    encoder.finish()
}

/// The page with this module, as [`packed`] returns it, and the JavaScript that `wasm-bindgen` wrote for it.
fn page(workspace: &Workspace, glue: &str, module: &[u8]) -> Result<String, Failure> {
    let read = |folder: &str, names: &[&str]| {
        names.iter().map(|name| workspace.read(Path::new(folder).join(name))).collect::<Result<String, Failure>>()
    };
    let style = read(VIEWER, &["viewer.css"])? + &read(PLAYGROUND, &["playground.css"])?;
    let parts = read(VIEWER, &SHARED)? + &read(PLAYGROUND, &OWN)?;
    let script = format!("(() => {{\n\"use strict\";\n{parts}}})();\n");
    let worker = glue.to_owned() + &read(PLAYGROUND, &["worker.js"])?;
    let gallery = workspace.manifest(Path::new(PLAYGROUND).join("gallery.toml"))?;
    let gallery = serde_json::to_string(&gallery).unwrap_or_default();
    let parts = [
        ("{policy}", policy(&script)),
        ("{style}", style),
        ("{gallery}", inert(&gallery)),
        ("{module}", STANDARD.encode(module)),
        ("{worker}", worker),
        ("{script}", script),
    ];
    let template = read(PLAYGROUND, &["page.html"])?;
    filled(&template, &parts).map_err(|text| Failure::measured("playground", text))
}

/// The page may run its script and workers made of its text. It may reach nothing, and neither may its workers, which
/// have the same policy: `unsafe-eval` is for the tools that people write into the page.
fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}' 'unsafe-eval' blob:; worker-src blob:; style-src \
         'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
}

/// The template with its parts, each of which it names once. Errors with a part that it lacks, or that would end the
/// element around it.
fn filled(template: &str, parts: &[(&str, String)]) -> Result<String, String> {
    let mut page = String::new();
    let mut rest = template;
    for (name, text) in parts {
        let (before, after) = rest.split_once(name).ok_or_else(|| format!("page.html lacks {name} at its place"))?;
        if let Some(end) = ["</script", "</style", "<!--"].into_iter().find(|end| text.to_lowercase().contains(end)) {
            return Err(format!("{name} contains {end}, which a page cannot hold there: write it in two pieces"));
        }
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// JSON that no parser of HTML mistakes for anything else.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    //! What needs neither a toolchain for browsers nor a browser.

    use super::{USAGE, filled, locked, manifest, page, run};
    use crate::Workspace;

    #[test]
    fn the_page_is_whole_and_loads_nothing() {
        let page = page(&Workspace::of_this_run(), "export class Session {}", b"module").unwrap();
        assert!(page.ends_with("</html>\n") && page.contains("export class Session {}") && page.contains("bW9kdWxl"));
        assert!(page.contains("Totals by customer"), "the gallery is in it");
        for left in ["{policy}", "{style}", "{gallery}", "{module}", "{worker}", "{script}"] {
            assert!(!page.contains(left), "{left}");
        }
        for loads in ["src=\"", "href=\"http", "@import", "url("] {
            assert!(!page.contains(loads), "{loads}");
        }
    }

    #[test]
    fn a_part_that_would_end_its_element_is_refused() {
        let with = |text: &str| filled("<script>{a}</script>", &[("{a}", text.to_owned())]);
        assert_eq!(with("1 < 2").unwrap(), "<script>1 < 2</script>");
        assert!(with("'</SCRIPT>'").unwrap_err().contains("two pieces"));
        assert!(filled("", &[("{a}", String::new())]).unwrap_err().contains("lacks {a}"));
    }

    #[test]
    fn the_release_of_the_tool_is_that_of_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
        assert_eq!(locked(lock, "wasm-bindgen").as_deref(), Some("0.2.9"));
        assert_eq!(locked(lock, "js-sys"), None);
    }

    #[test]
    fn npm_reads_the_version_and_the_types() {
        let manifest = manifest(&Workspace::of_this_run()).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(manifest["types"], "ptc_wasm.d.ts");
    }

    #[test]
    fn other_words_show_the_usage() {
        assert_eq!(run(&Workspace::of_this_run(), &["--fast"]).unwrap_err().to_string(), USAGE);
    }
}
