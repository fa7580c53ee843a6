//! The page on the command names every command.

use super::shown;

#[test]
fn the_page_has_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let page = include_str!("../../../../docs/guide/command.md");
    let table = page.split_once("| command | does |").unwrap().1.split_once("\n\n").unwrap().0;
    let (help, _) = shown(folder.path(), &["--help"]);
    let commands = help.split_once("Missions:\n").unwrap().1.split_once("Options:\n").unwrap().0;
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let missing: Vec<&str> = names
        .filter(|name| {
            *name != "help" && !table.contains(&format!("`ptc {name}`")) && !table.contains(&format!("`{name}`"))
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new(), "commands that the table of the page lacks");
}
