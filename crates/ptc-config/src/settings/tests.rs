use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

/// A folder with a repository in it, in which `missions` is one folder, and a user with a file of settings.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        for path in ["user/ptc", "repository/.git", "repository/missions/deep"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        Place { folder }
    }

    fn write(&self, path: &str, text: &str) -> &Place {
        fs::write(self.folder.path().join(path), text).unwrap();
        self
    }

    fn files(&self, folder: &str, user_id: Option<u32>) -> SettingsFiles {
        let user = self.folder.path().join("user");
        let of_user = |name: &str| ["XDG_CONFIG_HOME", "APPDATA"].contains(&name).then(|| user.clone());
        SettingsFiles::found(self.folder.path().join(folder), &of_user, user_id)
    }

    /// What holds in the folder of the missions, or the error, with paths from the folder of the test.
    fn check(&self) -> String {
        let read = self.files("repository/missions", None).read();
        let text = match read {
            Ok(settings) => Settings::KEYS.iter().map(|key| line(key, &settings)).collect::<Vec<_>>().join("\n"),
            Err(error) => error.to_string(),
        };
        let own = self.folder.path().canonicalize().unwrap();
        let text = text.replace(&own.display().to_string(), "…");
        text.replace(&self.folder.path().display().to_string(), "…").replace('\\', "/")
    }
}

fn line(key: &SettingKey, settings: &Settings) -> String {
    let (value, place) = key.shown(settings);
    format!("{} {value} {}", key.name, place.map_or_else(|| "built in".to_owned(), ToString::to_string))
}

const USER: &str = "user/ptc/config.toml";
const PROJECT: &str = "repository/missions/ptc.toml";

#[test]
fn each_key_says_from_where_its_value_is() {
    assert_snapshot!(Place::new().check(), @r#"
    model null built in
    prices null built in
    keep 50 built in
    jobs null built in
    approve "ask" built in
    "#);
    let place = Place::new();
    place.write(USER, "model = 'ollama:qwen3'\nprices = 'gpt-5'\nkeep = 7\njobs = 2\napprove = 'all'\n");
    place.write(PROJECT, "prices = 'team.toml'\nkeep = 'all'\napprove = 'none'\n");
    assert_snapshot!(place.check(), @r#"
    model "ollama:qwen3" …/user/ptc/config.toml:1:9
    prices "team.toml" …/repository/missions/ptc.toml:1:10
    keep "all" …/repository/missions/ptc.toml:2:8
    jobs 2 …/user/ptc/config.toml:4:8
    approve "none" …/repository/missions/ptc.toml:3:11
    "#);
}

#[test]
fn values_that_cannot_be_used_are_refused_with_their_places() {
    let user = |text: &str| Place::new().write(USER, text).check();
    assert_snapshot!(user("model = ''"), @r#"…/user/ptc/config.toml:1:9: model must be the name of a model, such as "ollama:qwen3" (got '')"#);
    assert_snapshot!(user("prices = 3"), @r#"…/user/ptc/config.toml:1:10: prices must be a text: a file with prices, a model of the built-in list, or "input=3,output=15" (got 3)"#);
    assert_snapshot!(user("\nkeep = 0"), @r#"…/user/ptc/config.toml:2:8: keep must be a number of runs, 1 or more, or "all" (got 0)"#);
    assert_snapshot!(user("jobs = 0"), @"…/user/ptc/config.toml:1:8: jobs must be a number of runs, 1 or more (got 0)");
    assert_snapshot!(user("approve = true"), @"…/user/ptc/config.toml:1:11: unknown value of approve true (all, ask, none)");
    assert_snapshot!(user("llm = 'ollama:qwen3'"), @"…/user/ptc/config.toml:1:1: unknown key `llm` in the settings; use `model`");
    assert_snapshot!(user("token_command = ['x']"), @"…/user/ptc/config.toml:1:1: unknown key `token_command` in the settings; known: model, prices, keep, jobs, approve");
    assert_snapshot!(user("jobs = "), @"…/user/ptc/config.toml:1:8: string values must be quoted, expected literal string");
}

#[test]
fn a_project_says_neither_where_requests_go_nor_that_more_calls_run() {
    let project = |text: &str| Place::new().write(PROJECT, text).check();
    assert_snapshot!(project("jobs = 2\nmodel = 'http://203.0.113.9/v1#m'"), @"…/repository/missions/ptc.toml:2:1: `model` may not be in `ptc.toml`, which can come with a copied folder and would say where requests go; write `model` into …/user/ptc/config.toml, or give `--llm`");
    for key in ["llm", "replay", "url", "base_url", "token_file", "token_command"] {
        let refused = project(&format!("{key} = 'x'"));
        assert!(refused.contains(&format!(":1:1: `{key}` may not be in `ptc.toml`")), "{refused}");
    }
    assert_snapshot!(project("approve = 'all'"), @r#"…/repository/missions/ptc.toml:1:11: approve = "all" is looser than what holds by default, "ask", and `ptc.toml` can only make it stricter; remove it here, and give `--approve all` where you want that"#);
    let place = Place::new();
    place.write(USER, "approve = 'none'").write(PROJECT, "approve = 'ask'");
    assert_snapshot!(place.check(), @r#"…/repository/missions/ptc.toml:1:11: approve = "ask" is looser than what …/user/ptc/config.toml says, "none", and `ptc.toml` can only make it stricter; remove it here, and give `--approve ask` where you want that"#);
    assert_snapshot!(project("mission = 'Count.'"), @"…/repository/missions/ptc.toml:1:1: unknown key `mission` in the settings; known: model, prices, keep, jobs, approve");
}

#[test]
fn the_nearest_file_up_to_the_root_of_the_repository_holds() {
    let place = Place::new();
    let found = |folder: &str| {
        let found = place.files(folder, None).project?;
        let whole = place.folder.path().canonicalize().unwrap();
        let path = found.canonicalize().unwrap();
        Some(path.strip_prefix(whole).unwrap().display().to_string().replace('\\', "/"))
    };
    place.write("ptc.toml", "jobs = 2");
    assert_eq!(found("repository/missions"), None, "the search ends with the folder that has .git");
    assert_eq!(found("repository"), None);
    assert_eq!(found("user/ptc").as_deref(), Some("ptc.toml"), "no repository");
    place.write("repository/ptc.toml", "jobs = 3");
    assert_eq!(found("repository/missions/deep").as_deref(), Some("repository/ptc.toml"));
    assert_eq!(found("repository/missions/deep/../..").as_deref(), Some("repository/ptc.toml"));
    place.write(PROJECT, "jobs = 4");
    assert_eq!(found("repository/missions/deep").as_deref(), Some(PROJECT));
    assert_eq!(found("repository/missions").as_deref(), Some(PROJECT));
    assert_eq!(place.files("repository/missions", None).read().unwrap().jobs(1), 4);
    // A folder of this name is not a file of settings.
    fs::create_dir(place.folder.path().join("repository/missions/deep/ptc.toml")).unwrap();
    assert_eq!(found("repository/missions/deep").as_deref(), Some(PROJECT));
}

#[test]
fn a_folder_in_the_place_of_the_users_file_is_an_error() {
    let place = Place::new();
    fs::create_dir_all(place.folder.path().join(USER)).unwrap();
    let error = place.files("repository", None).read().unwrap_err().to_string();
    assert!(error.contains("config.toml"), "{error}");
}

/// Who runs the tests owns the files of the tests, unless that is root.
#[cfg(unix)]
#[test]
fn a_project_file_of_another_user_is_refused() {
    use std::os::unix::fs::MetadataExt;

    let place = Place::new();
    place.write(PROJECT, "jobs = 4").write(USER, "keep = 7");
    let owner = fs::metadata(place.folder.path().join(PROJECT)).unwrap().uid();
    let read = |user: u32| place.files("repository/missions", Some(user)).read();
    assert_eq!(read(owner).unwrap().jobs(1), 4);
    match read(owner + 1) {
        Err(ConfigError::ForeignSettings { path, owner: found, user }) => {
            assert_eq!((path.ends_with(PROJECT), found, user), (true, owner, owner + 1));
        }
        read => assert!(owner == 0 && read.is_ok(), "files of root are those of the administrator"),
    }
    // The user's own file is in the user's own folder.
    fs::remove_file(place.folder.path().join(PROJECT)).unwrap();
    assert_eq!(read(owner + 1).unwrap().keep(), Keep::Newest(7));
}

#[test]
fn owners_decide_whose_settings_are_used() {
    let check = |owner, user| find::check_owner(Path::new("ptc.toml"), owner, user).map_err(|error| error.to_string());
    assert_eq!(check(Some(1000), Some(1000)), Ok(()));
    assert_eq!(check(Some(0), Some(1000)), Ok(()));
    assert_eq!(check(None, Some(1000)), Ok(()), "a system without owners");
    let refused = check(Some(1001), Some(1000)).unwrap_err();
    assert_snapshot!(refused, @"ptc.toml belongs to user 1001, neither to you (user 1000) nor to root, so its settings are not used; remove it, or take it over with `chown` when you agree with it");
    assert!(check(Some(1000), Some(0)).is_err(), "root does not use what others write");
}

#[test]
fn a_named_file_of_the_user_must_exist() {
    let place = Place::new();
    let named = |path: &Path| {
        let variable = |name: &str| (name == "PTC_CONFIG").then(|| path.to_owned());
        SettingsFiles::found(place.folder.path().join("repository"), &variable, None).read()
    };
    place.write("own.toml", "jobs = 8").write(USER, "jobs = 2");
    assert_eq!(named(&place.folder.path().join("own.toml")).unwrap().jobs(1), 8);
    let gone = named(&place.folder.path().join("gone.toml")).unwrap_err();
    assert!(matches!(gone, ConfigError::Unreadable { .. }), "{gone}");
}

#[test]
fn names_of_files_start_from_their_settings() {
    let place = Place::new();
    place.write(USER, "model = 'replay:answers.jsonl'");
    let settings = place.files("repository", None).read().unwrap();
    assert_eq!(settings.model(), Some(ModelName::Replay(place.folder.path().join("user/ptc/answers.jsonl"))));
}

/// The settings of a file with some of the keys, and its text.
fn some_file(approve: &'static [&'static str]) -> impl Strategy<Value = String> {
    let key = |name: &'static str, values: &'static [&'static str]| {
        proptest::option::of(proptest::sample::select(values)).prop_map(move |value| (name, value))
    };
    let keys = (
        key("prices", &["'gpt-5'", "'a.toml'"]),
        key("keep", &["3", "9", "'all'"]),
        key("jobs", &["2", "5"]),
        key("approve", approve),
    );
    keys.prop_map(|(prices, keep, jobs, approve)| {
        let lines = [prices, keep, jobs, approve].into_iter();
        lines.filter_map(|(name, value)| Some(format!("{name} = {}\n", value?))).collect()
    })
}

fn read(file: &str, text: &str, whose: &Whose<'_>) -> Settings {
    Settings::of_file(&Document::new(file, text), whose).unwrap()
}

#[test]
fn the_page_has_the_table_of_the_keys() {
    let page = include_str!("../../../../docs/reference/settings.md").replace("\r\n", "\n");
    let rows = Settings::KEYS.iter().map(|key| {
        let (default, _) = key.shown(&Settings::default());
        let default = if default.is_null() { String::new() } else { format!("`{default}`") };
        let allowed = match key.allowed {
            Allowed::Both => "yes",
            Allowed::User => "no",
            Allowed::Stricter => "only stricter",
        };
        format!("| `{}` | {} | {allowed} | `{}` | {default} | {} |\n", key.name, key.values, key.option, key.doc)
    });
    let table = rows.collect::<String>();
    assert!(page.contains(&format!("|\n{table}\n")), "docs/reference/settings.md needs these rows:\n{table}");
}

proptest! {
    /// Whatever both files say, a project never lets more calls run, and its other keys win.
    #[test]
    fn a_project_never_loosens_approvals(
        user in some_file(&["'all'", "'ask'", "'none'"]),
        project in some_file(&["'all'", "'ask'", "'none'"]),
    ) {
        let (own, above) = (read("config.toml", &user, &Whose::User), read("ptc.toml", &project, &Whose::Project(None)));
        let wanted = above.approve.as_ref().map(|given| given.value);
        match own.clone().under(above.clone()) {
            Ok(both) => {
                prop_assert!(both.approve() >= own.approve());
                prop_assert!(wanted.is_none_or(|wanted| wanted == both.approve()));
                prop_assert_eq!(&both.jobs, &above.jobs.or(own.jobs));
                prop_assert_eq!(&both.keep, &above.keep.or(own.keep));
                prop_assert_eq!(&both.prices, &above.prices.or(own.prices));
            }
            Err(error) => {
                prop_assert!(wanted.is_some_and(|wanted| wanted < own.approve()), "{}", error);
                prop_assert_eq!(error.code(), "looser_approval");
            }
        }
    }
}
