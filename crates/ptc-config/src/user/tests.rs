use super::*;

#[test]
fn folders_are_where_the_system_keeps_them() {
    let with = |known: &'static [(&str, &str)]| {
        let variable =
            move |name: &str| known.iter().find(|(key, _)| *key == name).map(|(_, path)| PathBuf::from(path));
        let shown = |path: Option<PathBuf>| path.map(|path| path.display().to_string()).unwrap_or_default();
        let state = folder(&variable, "XDG_STATE_HOME", &[".local", "state"], "LOCALAPPDATA");
        (shown(state), shown(user_settings(&variable)))
    };
    let both = |state: &str, settings: &str| (state.to_owned(), settings.to_owned());
    if !cfg!(windows) {
        assert_eq!(with(&[("HOME", "/ada")]), both("/ada/.local/state/ptc", "/ada/.config/ptc"));
        let named: &[_] = &[("HOME", "/h"), ("XDG_STATE_HOME", "/s"), ("XDG_CONFIG_HOME", "/c")];
        assert_eq!(with(named), both("/s/ptc", "/c/ptc"));
        let relative: &[_] = &[("HOME", "/h"), ("XDG_STATE_HOME", "here"), ("XDG_CONFIG_HOME", "here")];
        assert_eq!(with(relative), both("/h/.local/state/ptc", "/h/.config/ptc"));
    }
    assert_eq!(with(&[]), both("", ""));
}
