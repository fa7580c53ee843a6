use serde_json::json;

use super::*;

/// The rows of a query of a small database, or the error.
fn check(sql: &str, params: &[Json]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    let database = Connection::open(&path).unwrap();
    let made = "create table orders (id integer, who text, euros real, paid boolean, extra);
        insert into orders values (1, 'Ines', 12.5, true, null), (2, 'Oto', 3, false, x'00ff'), (3, null, 1e3, 1, '007')";
    database.execute_batch(made).unwrap();
    match read(&path, sql, params) {
        Ok(file) => ptc_lisp::text::format(&file.value, &ptc_lisp::text::FormatOptions::full()).text,
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    }
}

#[test]
fn rows_are_maps_with_the_types_of_their_values() {
    insta::assert_snapshot!(check("select id, who, euros, paid from orders order by id", &[]), @r#"[{:id 1 :who "Ines" :euros 12.5 :paid 1} {:id 2 :who "Oto" :euros 3.0 :paid 0} {:id 3 :who nil :euros 1000.0 :paid 1}]"#);
    insta::assert_snapshot!(check("select sum(euros) as \"total sum\", count(*) as n, extra from orders where id = 3", &[]), @r#"[{"total sum" 1000.0 :n 1 :extra "007"}]"#);
    insta::assert_snapshot!(check("select id from orders where who = ?1 and euros > ?2", &[json!("Ines"), json!(12)]), @"[{:id 1}]");
    insta::assert_snapshot!(check("select 1 where 1 = 2", &[]), @"[]");
}

#[test]
fn queries_that_cannot_be_run_say_why() {
    insta::assert_snapshot!(check("select nope from orders", &[]), @"cannot read shop.db: no such column: nope in select nope from orders at offset 7");
    insta::assert_snapshot!(check("delete from orders", &[]), @"cannot read shop.db: the query gives no columns; write a `select`");
    insta::assert_snapshot!(check("delete from orders returning id", &[]), @"cannot read shop.db: attempt to write a readonly database");
    insta::assert_snapshot!(check("select 1; select 2", &[]), @"cannot read shop.db: Multiple statements provided");
    insta::assert_snapshot!(check("select id, id from orders", &[]), @"cannot read shop.db: the query gives two columns `id`; give one another name with `as`");
    insta::assert_snapshot!(check("select extra from orders", &[]), @"cannot read shop.db: the column `extra` holds bytes, which programs cannot read; select `hex(extra)` or leave it out");
    insta::assert_snapshot!(check("select id from orders where id = ?", &[]), @"cannot read shop.db: Wrong number of parameters passed to query. Got 0, needed 1");
    insta::assert_snapshot!(check("select cast(x'ff' as text) as t", &[]), @"cannot read shop.db: the column `t` holds text that is not UTF-8");
}

#[test]
fn rows_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    Connection::open(&path).unwrap().execute_batch("create table t (n)").unwrap();
    let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select i from n";
    assert!(rows(&path, sql, &[], 5).is_ok());
    insta::assert_snapshot!(rows(&path, sql, &[], 4).unwrap_err(), @"the query gives more than 4 rows; count and sum in SQL, or add `limit`");
}

#[test]
fn files_that_are_no_databases_are_named() {
    let error = read(Path::new("nowhere.db"), "select 1", &[]).unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.db: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    std::fs::write(&path, "not a database, but a text that is long enough to be looked at as one").unwrap();
    let error = read(&path, "select 1 from sqlite_master", &[]).unwrap_err().to_string();
    assert!(error.ends_with("file is not a database"), "{error}");
}
