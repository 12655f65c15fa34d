//! How large the second level of a search of two levels may become.

/// The size of the second level, as a function of the size of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum SecondLevel {
    /// As large as the first (Allis 1994).
    #[default]
    Allis,
    /// A growing fraction of the first (Breuker 1998): small while the first is small, when a second search of the same size
    /// would cost much and bring little. The fraction is 1 / (1 + e^((a - x) / b)), a half when the first has size `a`.
    Breuker {
        /// Where the fraction is a half.
        a: u64,
        /// How slowly it grows.
        b: u64,
    },
}

impl SecondLevel {
    /// Breuker's parameters for chess.
    pub const BREUKER: Self = Self::Breuker { a: 1_800_000, b: 240_000 };

    /// The most that the second level may become beside a first of size `first`, where `room` is left in all.
    ///
    /// ```
    /// use quod_search::SecondLevel;
    /// assert_eq!(SecondLevel::Allis.size(1_000, u64::MAX), 1_000);
    /// assert_eq!(SecondLevel::BREUKER.size(1_800_000, u64::MAX), 900_000);
    /// assert_eq!(SecondLevel::BREUKER.size(1_800_000, 500_000), 500_000);
    /// ```
    #[must_use]
    pub fn size(self, first: u64, room: u64) -> u64 {
        let wanted = match self {
            Self::Allis => first,
            Self::Breuker { a, b } => {
                let fraction = 1.0 / (1.0 + ((a as f64 - first as f64) / b as f64).exp());
                (first as f64 * fraction) as u64
            }
        };
        wanted.min(room)
    }
}
