//! How much memory there is.

use std::fs::read_to_string;

/// What is assumed where the system does not say.
const UNKNOWN_SYSTEM_BYTES: u64 = 2 << 30;

/// Three quarters of the memory that is free now, in the machine and in the container: what a search takes if nothing is said.
#[must_use]
pub fn three_quarters_free() -> u64 {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let number =
        |name: &str| read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok()?.trim().parse().ok();
    let container = container(number("max"), number("current"));
    machine.into_iter().chain(container).min().unwrap_or(UNKNOWN_SYSTEM_BYTES) / 4 * 3
}

/// The most memory that this program has had in use so far, with everything, where the system says it.
#[must_use]
pub fn peak_resident() -> Option<u64> {
    read_to_string("/proc/self/status").ok().and_then(|text| kibibytes(&text, "VmHWM:"))
}

fn available(meminfo: &str) -> Option<u64> {
    kibibytes(meminfo, "MemAvailable:")
}

fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// What a container leaves; one without a limit says `max`, which is no number.
fn container(max: Option<u64>, current: Option<u64>) -> Option<u64> {
    Some(max?.saturating_sub(current?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_figures_are_read() {
        let text = "MemTotal:  200 kB\nMemAvailable:     128 kB\n";
        assert_eq!(available(text), Some(128 * 1024));
        assert_eq!((container(Some(10), Some(4)), container(None, Some(4))), (Some(6), None));
        assert!(three_quarters_free() > 1 << 20);
        assert!(!cfg!(target_os = "linux") || peak_resident() > Some(1 << 20));
    }
}
