//! How fast a large CSV file is read, next to a bare loop over its records, and how much memory that takes:
//! `cargo run --release -p ptc-config --example reading -- [MEGABYTES] [SHAPE]`.
#![allow(clippy::indexing_slicing, reason = "tables of words that are always long enough")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use ptc_config::{ReadOptions, read_data_with};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The header of a file, and the row with this number.
type Shape = (&'static str, &'static str, fn(u64) -> String);

const SHAPES: [Shape; 4] = [
    ("orders", "order_id,customer,country,ordered,status,quantity,unit_price,total", |at| {
        let (customer, day, quantity) = (at * 7_919 % 5_003, at % 28 + 1, at % 9 + 1);
        let cents = at * 37 % 9_973;
        let country = ["Germany", "France", "Portugal", "Norway", "Brazil"][(at % 5) as usize];
        let status = ["shipped", "pending", "returned", "cancelled"][(at / 3 % 4) as usize];
        let price = format!("{}.{:02}", cents / 100, cents % 100);
        let total = cents * quantity;
        format!(
            "{at},customer {customer},{country},2024-03-{day:02},{status},{quantity},{price},{}.{:02}",
            total / 100,
            total % 100
        )
    }),
    ("numbers", "a,b,c,d,e", |at| {
        let of = |step: u64| at * step % 1_000_003;
        format!("{},{}.5,{},{}.25,{}", at, of(7), of(11), of(13), of(17))
    }),
    ("texts", "id,title,body", |at| {
        let body = "the quick brown fox jumps over the lazy dog ".repeat((at % 4 + 1) as usize);
        format!("{at},\"Note {at}, on a day\",{body}")
    }),
    ("late", "id,code,price", |at| {
        format!("{at},{},{}", if at == 100_000 { "B7".to_owned() } else { (at % 977).to_string() }, at % 5)
    }),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let megabytes: u64 = args.next().map_or(Ok(100), |text| text.parse())?;
    let wanted = args.next();
    let folder = tempfile::tempdir()?;
    for (name, header, row) in SHAPES.iter().filter(|shape| wanted.as_deref().is_none_or(|wanted| wanted == shape.0)) {
        let path = folder.path().join(format!("{name}.csv"));
        write(&path, header, *row, megabytes << 20)?;
        let size = fs::metadata(&path)?.len() as f64;
        let (mut bare, mut owned, mut read) = (Duration::MAX, Duration::MAX, Duration::MAX);
        let (mut rows, mut most) = (0, None);
        for _ in 0..3 {
            bare = bare.min(records(&path, false)?);
            owned = owned.min(records(&path, true)?);
            let start = Instant::now();
            let file = read_data_with(&path, &ReadOptions::default())?;
            read = read.min(start.elapsed());
            rows = file.readings.first().map_or(0, |reading| reading.count);
            // That of one reading: later ones leave some of it unused.
            most = most.or_else(peak);
        }
        let (bare, owned, read) = (bare.as_secs_f64(), owned.as_secs_f64(), read.as_secs_f64());
        println!(
            "{name}: {:.0} MB, {rows} rows; ByteRecord {bare:.2} s, StringRecord {owned:.2} s, read_data {read:.2} s \
             ({:.2} and {:.2} times); peak memory {:.2} times the file",
            size / 1e6,
            read / bare,
            read / owned,
            most.unwrap_or_default() * 1024.0 / size
        );
    }
    Ok(())
}

fn write(path: &Path, header: &str, row: fn(u64) -> String, bytes: u64) -> std::io::Result<()> {
    let (mut file, mut written, mut at) = (BufWriter::new(File::create(path)?), 0, 0);
    writeln!(file, "{header}")?;
    while written < bytes {
        let line = row(at);
        written += line.len() as u64 + 1;
        writeln!(file, "{line}")?;
        at += 1;
    }
    file.flush()
}

/// The time of a loop over all records, each read into the same one.
fn records(path: &Path, is_text: bool) -> Result<Duration, csv::Error> {
    let start = Instant::now();
    let mut reader = csv::Reader::from_path(path)?;
    let mut cells = 0;
    if is_text {
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record)? {
            cells += record.len();
        }
    } else {
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record)? {
            cells += record.len();
        }
    }
    std::hint::black_box(cells);
    Ok(start.elapsed())
}

/// The largest amount of memory that this process had, in KB; only Linux says it.
fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
