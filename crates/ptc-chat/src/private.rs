//! Files and folders with what runs hold, which only their owner may read.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::time::{Duration, Instant};

/// Options for a file with contents of runs: a file that they create is for its owner only (0600), also where its folder
/// is not; one that exists keeps its mode. On Windows the folder decides.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let file = ptc_chat::private_file().append(true).create(true).open(folder.path().join("run.journal"))?;
/// # #[cfg(unix)]
/// assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o777, 0o600);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn private_file() -> OpenOptions {
    #[cfg(unix)]
    use std::os::unix::fs::OpenOptionsExt;
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    options.mode(0o600);
    options
}

/// Options for a folder with contents of runs: one that they create is for its owner only (0700). On Windows the folder
/// above decides.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let runs = folder.path().join("state/runs");
/// ptc_chat::private_folder().recursive(true).create(&runs)?;
/// # #[cfg(unix)]
/// assert_eq!(std::os::unix::fs::PermissionsExt::mode(&runs.metadata()?.permissions()) & 0o777, 0o700);
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn private_folder() -> DirBuilder {
    #[cfg(unix)]
    use std::os::unix::fs::DirBuilderExt;
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    builder.mode(0o700);
    builder
}

/// How long [`lock_private`] waits for another process.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Lock a file that one process writes at a time, until it is closed.
///
/// Waits two seconds at most: a process that was killed while it started a command leaves the lock to its child, until
/// the command runs.
///
/// # Errors
///
/// When another process has it, or the system cannot lock files.
pub fn lock_private(file: &File) -> Result<(), TryLockError> {
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => std::thread::sleep(BETWEEN_TRIES),
            ended => return ended,
        }
    }
}
