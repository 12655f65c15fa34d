//! What the values of a slice are, in a few numbers.

/// What the values of a slice are, whatever form they are written in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions that the side to move wins.
    pub won: u64,
    /// Positions that nobody wins.
    pub drawn: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// The sum of all values.
    pub sum: i64,
    /// FNV-1a of 64 bits over the values, a byte each in the order of their numbers.
    pub fnv: u64,
    /// BLAKE3 over the same bytes.
    pub checksum: [u8; 32],
}

impl Summary {
    /// How many positions there are.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Whether there are no more positions than numbers.
    pub(super) fn fits(&self, size: u64) -> bool {
        let positions = self.won.checked_add(self.drawn).and_then(|some| some.checked_add(self.lost));
        positions.is_some_and(|positions| positions <= size)
    }

    /// The checksum in hexadecimal digits.
    #[must_use]
    pub fn checksum_text(&self) -> String {
        blake3::Hash::from_bytes(self.checksum).to_hex().to_string()
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [self.won, self.drawn, self.lost, self.sum.cast_unsigned(), self.fnv] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(self.checksum);
        bytes
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| bytes.get(8 * at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        Some(Self {
            won: number(0)?,
            drawn: number(1)?,
            lost: number(2)?,
            sum: number(3)?.cast_signed(),
            fnv: number(4)?,
            checksum: *bytes.get(40..)?.first_chunk()?,
        })
    }
}

/// A summary while values come.
pub(crate) struct Summing {
    summary: Summary,
    checksum: blake3::Hasher,
    bytes: Vec<u8>,
}

impl Summing {
    pub(crate) fn new() -> Self {
        let summary = Summary { fnv: 0xcbf2_9ce4_8422_2325, ..Summary::default() };
        Self { summary, checksum: blake3::Hasher::new(), bytes: Vec::new() }
    }

    /// Takes the next values, and gives them back as bytes.
    pub(crate) fn add(&mut self, values: &[i8]) -> &[u8] {
        let (mut fnv, mut won, mut lost, mut sum) = (self.summary.fnv, 0, 0, 0);
        for value in values {
            // FNV-1a (Fowler, Noll and Vo).
            fnv = (fnv ^ u64::from(value.cast_unsigned())).wrapping_mul(0x0100_0000_01b3);
            won += u64::from(*value > 0);
            lost += u64::from(*value < 0);
            sum += i64::from(*value);
        }
        self.summary.fnv = fnv;
        self.summary.won += won;
        self.summary.lost += lost;
        self.summary.drawn += values.len() as u64 - won - lost;
        self.summary.sum += sum;
        self.bytes.clear();
        self.bytes.extend(values.iter().map(|value| value.cast_unsigned()));
        self.checksum.update(&self.bytes);
        &self.bytes
    }

    /// The summary of all that came; `nothing` numbers stood for no position.
    pub(crate) fn finish(self, nothing: u64) -> Summary {
        let drawn = self.summary.drawn - nothing;
        Summary { drawn, checksum: *self.checksum.finalize().as_bytes(), ..self.summary }
    }
}
