//! A process that only computes.
//!
//! An interpreter of untrusted programs needs memory, a clock and the streams it was started with. [`seal`] gives up
//! everything else for good: the kernel ends the process at the first system call that is not on the list. So a defect
//! of the interpreter, or of a crate it depends on, reaches no file, connection, process, thread or environment that
//! the process did not hold already.
//!
//! Use it in a separate process, started without environment variables that programs should not see, and after reading
//! everything that has to be read. It needs Linux with seccomp, on x86_64, aarch64 or riscv64; elsewhere [`seal`] is an
//! error, and [`is_supported`] says so.

use std::io;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
#[path = "seal/linux.rs"]
mod system;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
#[path = "seal/unsupported.rs"]
mod system;
#[cfg(test)]
mod tests;

/// Why a process could not be sealed. It continues unsealed: end it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SealError {
    /// This system has no filter of system calls.
    #[error("processes can be sealed on Linux (x86_64, aarch64, riscv64) only, not on {os} ({arch})", os = std::env::consts::OS, arch = std::env::consts::ARCH)]
    Unsupported,
    /// The kernel accepted no bound.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no bound"))]
    #[error("the kernel does not bound this process: {0}")]
    Bound(io::Error),
    /// The kernel accepted no filter: one without seccomp, or a container that forbids it.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no filter"))]
    #[error("the kernel does not filter the calls of this process: {0}; it needs seccomp")]
    Filter(Box<dyn std::error::Error + Send + Sync>),
}

/// Whether [`seal`] is built for this system.
#[must_use]
pub(crate) const fn is_supported() -> bool {
    system::IS_SUPPORTED
}

/// Bound the bytes of writable memory that this process maps, used or not; an allocation beyond it fails, which ends a
/// program in Rust, without a core file. Allocators map ahead (mimalloc 1 GiB), so leave space for that. A bound that the
/// process has already stays where it is lower.
///
/// # Errors
///
/// When the system has no such bound, or the kernel refuses it.
pub(crate) fn bound(memory: u64) -> Result<(), SealError> {
    system::bound(memory)
}

/// Let the process have so many files and connections open, as far as the system allows it.
pub(crate) fn allow_files(wanted: u64) {
    system::allow_files(wanted);
}

/// Let this process end when the thread that started it ends.
///
/// # Errors
///
/// When the system cannot do that.
pub(crate) fn end_with_parent() -> Result<(), SealError> {
    system::end_with_parent()
}

/// Give up everything but computing, for all threads of this process and until it ends.
///
/// What is left: memory, waiting for other threads of the process, clocks, random numbers, reading file descriptor 0,
/// writing to 1 and 2 and asking whether they are terminals, and ending. Any other system call ends the process with
/// the signal SIGSYS. It writes no core file, which would contain its data.
///
/// `memory` is a [`bound`].
///
/// Costs at most four system calls; the kernel then checks each later one of the process.
///
/// # Errors
///
/// When the system has no such filter, or the kernel refuses it.
pub(crate) fn seal(memory: Option<u64>) -> Result<(), SealError> {
    system::seal(memory)
}
