use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, StringArray,
    TimestampMillisecondArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;

use super::*;

/// Two rows of many types.
fn batch() -> RecordBatch {
    let mut lists = ListBuilder::new(Int64Builder::new());
    lists.append_value([Some(1), None]);
    lists.append_null();
    let columns: [(&str, ArrayRef); 8] = [
        ("id", Arc::new(Int64Array::from(vec![1, i64::MAX]))),
        ("who", Arc::new(StringArray::from(vec![Some("Ines"), None]))),
        ("kg", Arc::new(Float64Array::from(vec![2.5, f64::NAN]))),
        ("paid", Arc::new(BooleanArray::from(vec![true, false]))),
        ("day", Arc::new(Date32Array::from(vec![19_783, 0]))),
        ("at", Arc::new(TimestampMillisecondArray::from(vec![1_709_251_200_500, 0]))),
        ("euros", Arc::new(Decimal128Array::from(vec![1_250, -5]).with_precision_and_scale(10, 2).unwrap())),
        ("nos", Arc::new(lists.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

/// The rows of these columns of a file of this kind, or the error.
fn check(kind: &str, columns: Option<&[&str]>, limit: u64) -> String {
    check_batch(&batch(), kind, columns, limit)
}

fn check_batch(batch: &RecordBatch, kind: &str, columns: Option<&[&str]>, limit: u64) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("rows.{kind}"));
    let file = File::create(&path).unwrap();
    match kind {
        "parquet" => {
            let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
            writer.write(batch).unwrap();
            writer.close().unwrap();
        }
        "arrow" => {
            let mut writer = FileWriter::try_new(file, &batch.schema()).unwrap();
            writer.write(batch).unwrap();
            writer.finish().unwrap();
        }
        _ => {
            let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
            writer.write(batch).unwrap();
            writer.finish().unwrap();
        }
    }
    match read(&path, Format::of(&path).unwrap(), columns, limit) {
        Ok(file) => ptc_lisp::text::format(&file.value, &ptc_lisp::text::FormatOptions::full()).text,
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    }
}

#[test]
fn rows_are_maps() {
    let all = check("parquet", None, 10_000);
    insta::assert_snapshot!(all, @r#"[{:id 1 :who "Ines" :kg 2.5 :paid true :day "2024-03-01" :at "2024-03-01T00:00:00.500" :euros 12.5 :nos [1 nil]} {:id 9223372036854775807 :who nil :kg nil :paid false :day "1970-01-01" :at "1970-01-01T00:00:00" :euros -0.05 :nos nil}]"#);
    assert_eq!(check("arrow", None, 10_000), all);
    assert_eq!(check("ipc", None, 10_000), all);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let column = |number| ("nr", Arc::new(Int64Array::from(vec![number])) as ArrayRef);
    let batch = RecordBatch::try_from_iter([column(1), column(2)]).unwrap();
    for kind in ["arrow", "ipc"] {
        let told = check_batch(&batch, kind, None, 10_000);
        assert_eq!(told.replace(kind, "KIND"), "cannot read rows.KIND: two columns are named `nr`; rename one");
    }
}

#[test]
fn columns_are_read_in_the_order_in_which_they_are_named() {
    insta::assert_snapshot!(check("parquet", Some(&["who", "id"]), 10_000), @r#"[{:who "Ines" :id 1} {:who nil :id 9223372036854775807}]"#);
    assert_eq!(check("arrow", Some(&["who", "id"]), 10_000), check("parquet", Some(&["who", "id"]), 10_000));
    insta::assert_snapshot!(check("parquet", Some(&["who", "name", "nr"]), 10_000), @"rows.parquet has no column `name`, `nr`; it has `id`, `who`, `kg`, `paid`, `day`, `at`, `euros`, `nos`");
}

#[test]
fn files_that_cannot_be_read_say_why() {
    insta::assert_snapshot!(check("parquet", None, 100), @"rows.parquet has more than 0 MB; keep what the mission needs, or write a tool that searches it");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    std::fs::write(&path, "id,who\n1,Ines\n").unwrap();
    let error = read(&path, Format::Parquet, None, 100).unwrap_err().to_string();
    assert!(error.contains("a.parquet: ") && error.starts_with("cannot read "), "{error}");
    assert!(read(&path, Format::Arrow, None, 100).unwrap_err().to_string().starts_with("cannot read "));
}
