//! Time for tests that compare the cost of small texts with that of large ones.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of this thread: other threads do not count.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
