//! What the operating system says about this process.

use std::time::Duration;

use crate::Res;

/// Ticks of `/proc/self/stat` per second: the same on every Linux.
const TICKS_PER_SECOND: u64 = 100;

/// CPU time of all threads so far; 10 ms are the smallest step.
pub(crate) fn cpu_time() -> Res<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")
        .map_err(|error| format!("load needs Linux: /proc/self/stat: {error}"))?;
    // The name of the program, in parentheses, may hold anything; after it, user and system time are fields 12 and 13.
    let (_, fields) = stat.rsplit_once(')').ok_or("/proc/self/stat names no program")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

/// Bytes of memory that are resident now.
pub(crate) fn resident_bytes() -> Res<u64> {
    status("VmRSS:")
}

/// The maximum of resident bytes so far.
pub(crate) fn peak_bytes() -> Res<u64> {
    status("VmHWM:")
}

fn status(name: &str) -> Res<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .ok_or_else(|| format!("/proc/self/status has no {name}"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes * 1024)
}
