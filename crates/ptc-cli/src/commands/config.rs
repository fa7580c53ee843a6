//! `ptc config`: the settings that hold, and from where.

use std::path::{Path, PathBuf};

use clap::Args;
use ptc_runner::chat::shown_addresses;
use ptc_runner::config::{MissionFile, ModelName, SettingKey, Settings, SettingsFiles, model_of, named};
use serde_json::{Map, Value as Json, json};

use crate::failure::{Exit, Failure};
use crate::output;

const EXAMPLES: &str = "\
Examples:
  ptc config                      # the settings in effect in this folder, and their files
  ptc config bookings.toml        # for a mission, whose own keys win
  ptc config --json | jq -r .files.user.path

Options of a command win over everything here.

Exit codes: 0 ok, 2 wrong usage or settings that cannot be used.";

/// Show the settings in effect and where they come from.
///
/// They are in your own file and in the `ptc.toml` next to a mission or in a folder above it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConfigArgs {
    /// A mission file or a folder; the current folder by default.
    #[arg(value_name = "MISSION|DIR")]
    place: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A setting: its value, and what says so.
struct Held {
    key: &'static SettingKey,
    value: Json,
    from: String,
}

/// Where a value is from that no file has.
const BUILT_IN: &str = "built in";

/// Run the command.
pub(crate) fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let place = args.place.as_deref().unwrap_or(Path::new(""));
    let is_folder = place.as_os_str().is_empty() || place.is_dir();
    let mission = if is_folder { None } else { Some(MissionFile::load(place)?) };
    let files = SettingsFiles::find(mission.as_ref().map_or(place, |mission| &mission.folder));
    let settings = files.read()?;
    let held: Vec<Held> = Settings::KEYS.iter().map(|key| held(key, mission.as_ref(), &settings)).collect();
    if args.json {
        output::json(&json(&files, &held))?;
    } else {
        output::print(|out| lines(&files, &held).iter().try_for_each(|line| writeln!(out, "{line}")))?;
    }
    Ok(Exit::Ok)
}

/// What holds for this key: what the mission and the environment say comes before the files.
fn held(key: &'static SettingKey, mission: Option<&MissionFile>, settings: &Settings) -> Held {
    let nearer = match key.name {
        "model" => {
            model_of(mission, None, settings).map(|(model, source)| (json!(model_name(&model)), source.to_string()))
        }
        "keep" => mission.and_then(|mission| Some((json!(mission.keep?), named(&mission.path)))),
        _ => None,
    };
    let (value, from) = nearer.unwrap_or_else(|| {
        let (value, place) = key.shown(settings);
        (value, place.map_or_else(|| BUILT_IN.to_owned(), ToString::to_string))
    });
    Held { key, value, from }
}

fn model_name(model: &ModelName) -> String {
    match model {
        ModelName::Replay(file) => format!("replay:{}", file.display()),
        ModelName::Named(name) => shown_addresses(name),
        _ => String::new(),
    }
}

fn json(files: &SettingsFiles, held: &[Held]) -> Json {
    let settings = held.iter().map(|held| {
        let from = if held.from == BUILT_IN { Json::Null } else { json!(held.from) };
        (held.key.name.to_owned(), json!({"value": held.value, "from": from, "option": held.key.option}))
    });
    let user = files.user.as_ref().map(|path| json!({"path": path, "exists": path.is_file()}));
    let project = files.project.as_ref().map(|path| json!({"path": path}));
    json!({"files": {"user": user, "project": project}, "settings": settings.collect::<Map<_, _>>()})
}

fn lines(files: &SettingsFiles, held: &[Held]) -> Vec<String> {
    let value = |held: &Held| match &held.value {
        Json::Null => "-".to_owned(),
        value => value.to_string(),
    };
    let values: Vec<String> = held.iter().map(value).collect();
    let width = values.iter().map(String::len).max().unwrap_or_default();
    let mut lines: Vec<String> = held
        .iter()
        .zip(&values)
        .map(|(held, value)| format!("{:<8} {value:<width$}  {}", held.key.name, held.from))
        .collect();
    let user = match &files.user {
        Some(path) if path.is_file() => named(path),
        Some(path) => format!("{} (does not exist)", named(path)),
        None => "none: set HOME, or PTC_CONFIG to a file".to_owned(),
    };
    let project = files.project.as_deref().map_or_else(|| "none".to_owned(), named);
    lines.extend([String::new(), format!("your own file: {user}"), format!("ptc.toml:      {project}")]);
    lines
}
