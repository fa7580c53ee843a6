//! The clocks of the machine: those of the standard library, except in a browser, where it has none and the ones of
//! JavaScript are read.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use web_time::Instant;

/// Microseconds since 1970 UTC; 0 before.
#[allow(clippy::disallowed_types, reason = "the host's clock where it gives none")]
pub(crate) fn now_micros() -> i64 {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    use std::time::SystemTime;
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    use web_time::SystemTime;

    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(all(unix, feature = "cpu-time"))]
mod cpu {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    use crate::limits::Limits;

    /// The CPU time that the calling thread has used so far.
    pub(crate) fn thread_time() -> Duration {
        Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
    }

    /// The CPU time of one program: of the threads that worked on it, one after another. It is read only where it is limited.
    #[derive(Debug, Default)]
    pub(crate) struct CpuClock {
        /// Before the present thread began.
        before: Duration,
        /// What the clock of the present thread showed then; `None` while no thread works.
        since: Option<Duration>,
    }

    impl CpuClock {
        /// The calling thread begins to work on the program.
        pub fn begin(&mut self, limits: &Limits) {
            if limits.cpu_time.is_some() {
                self.since.get_or_insert_with(thread_time);
            }
        }

        /// The calling thread stops working on the program, which another one may continue.
        pub fn end(&mut self, limits: &Limits) {
            if limits.cpu_time.is_some() {
                self.before = self.time();
                self.since = None;
            }
        }

        /// The limit, if it is exceeded, or would be after so much work.
        pub fn exceeded(&self, limits: &Limits, work: Duration) -> Option<Duration> {
            limits.cpu_time.filter(|limit| self.time() + work > *limit)
        }

        fn time(&self) -> Duration {
            self.since.map_or(self.before, |since| self.before + thread_time().saturating_sub(since))
        }
    }
}

#[cfg(not(all(unix, feature = "cpu-time")))]
mod cpu {
    use std::time::Duration;

    use crate::limits::Limits;

    /// No limit on CPU time.
    #[derive(Debug, Default)]
    pub(crate) struct CpuClock {}

    impl CpuClock {
        pub fn begin(&mut self, _: &Limits) {}

        pub fn end(&mut self, _: &Limits) {}

        pub fn exceeded(&self, _: &Limits, _: Duration) -> Option<Duration> {
            None
        }
    }
}

pub(crate) use cpu::CpuClock;
#[cfg(all(test, unix, feature = "cpu-time"))]
pub(crate) use cpu::thread_time;
