//! How much memory there is.

/// What is assumed where the system does not say.
const UNKNOWN_SYSTEM_BYTES: u64 = 2 << 30;

/// Three quarters of the memory that is free now.
pub(crate) fn three_quarters_free() -> u64 {
    let free = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    free.unwrap_or(UNKNOWN_SYSTEM_BYTES) / 4 * 3
}

fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernels_figure_is_read() {
        let text = "MemTotal:  200 kB\nMemAvailable:     128 kB\n";
        assert_eq!(super::available(text), Some(128 * 1024));
        assert!(super::three_quarters_free() > 1 << 20);
    }
}
