//! Time for tests that hold the cost of small texts against that of large ones.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread has had a processor: what others do meanwhile does not count.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
