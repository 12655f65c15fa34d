//! What an interface can set.

use quod_solver::three_quarters_free;

const MEBIBYTE: u64 = 1 << 20;
const HASH: u64 = 256;
/// As many as a search takes.
const THREADS_MAX: u64 = 250;

/// The options as they stand.
pub(super) struct Options {
    hash_max: u64,
    hash: u64,
    threads: u64,
}

impl Options {
    pub(super) fn new() -> Self {
        // A search that has less than a mebibyte would rather forget than think.
        let hash_max = (three_quarters_free() / MEBIBYTE).max(1);
        Self { hash_max, hash: HASH.min(hash_max), threads: 1 }
    }

    /// What the protocol says of them.
    pub(super) fn described(&self) -> Vec<String> {
        vec![
            format!(
                "option name Hash type spin default {} min 1 max {}",
                HASH.min(self.hash_max),
                self.hash_max
            ),
            format!("option name Threads type spin default 1 min 1 max {THREADS_MAX}"),
            // Interfaces let engines ponder that have this.
            "option name Ponder type check default false".to_owned(),
        ]
    }

    /// Sets one; what is wrong is mended or left as it was, and told.
    ///
    /// # Errors
    /// Says what is wrong.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let (option, max) = match name.to_ascii_lowercase().as_str() {
            "hash" => (&mut self.hash, self.hash_max),
            "threads" => (&mut self.threads, THREADS_MAX),
            "ponder" => return Ok(()),
            _ => return Err(format!("there is no option \"{name}\"; options: Hash, Threads, Ponder")),
        };
        let text = value.unwrap_or_default().trim();
        let wrong = || format!("option {name}: \"{text}\" is no number from 1 to {max}");
        let number: u64 = text.parse().map_err(|_| format!("{}; it stays {option}", wrong()))?;
        *option = number.clamp(1, max);
        if *option == number { Ok(()) } else { Err(format!("{}; it is {option} now", wrong())) }
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        self.hash * MEBIBYTE
    }

    pub(super) fn threads(&self) -> usize {
        self.threads as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_set_within_their_range() {
        let mut options = Options::new();
        assert_eq!(options.set("Hash", Some("16")), Ok(()));
        assert_eq!(options.set("threads", Some("2")), Ok(()));
        assert_eq!((options.memory_bytes(), options.threads()), (16 << 20, 2));
        assert!(options.set("Hash", Some("many")).unwrap_err().contains("it stays 16"));
        assert!(options.set("Threads", None).is_err());
        assert!(options.set("Threads", Some("999")).unwrap_err().contains("it is 250 now"));
        assert!(options.set("Contempt", Some("3")).unwrap_err().contains("no option \"Contempt\""));
        assert_eq!((options.memory_bytes(), options.threads()), (16 << 20, 250));
    }
}
