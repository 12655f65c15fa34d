//! For tests of certificates: a naive checker that works by another method, and alterations of what a certificate says.

mod alter;
mod naive;

use quod_model::{Adapter, Game, Notation};

pub use alter::{Alterations, altered_bytes, sealed};
pub use naive::naive_check;

use crate::{Certificate, CertificateFile, CheckError, Checked, check};

/// What the two checkers say of a file.
#[derive(Debug)]
pub struct Judgement {
    /// The one that counts.
    pub checked: Result<Checked, CheckError>,
    /// Whether the naive one accepts it.
    pub naive: bool,
}

impl Judgement {
    /// Whether one accepts it and the other does not. A check that was stopped says nothing.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.checked != Err(CheckError::Interrupted) && self.checked.is_ok() != self.naive
    }
}

/// A game for those who judge certificates.
pub trait Judge: Send + Sync {
    /// Checks the bytes of a file in both ways. Stops after so many positions.
    fn judge(&self, file: &[u8], positions_max: u64) -> Judgement;

    /// Positions that random play comes to, as texts. `choose` gives a number below its own.
    fn roots(&self, root: &str, count: usize, choose: &mut dyn FnMut(usize) -> usize) -> Vec<String>;
}

impl<G: Notation> Judge for G {
    fn judge(&self, file: &[u8], positions_max: u64) -> Judgement {
        let opened = CertificateFile::open(file).map_err(CheckError::from);
        let checked = opened.and_then(|file| check(self, &file, &mut |positions| positions < positions_max));
        let stopped = checked == Err(CheckError::Interrupted);
        let naive = !stopped
            && Certificate::decode(file).is_ok_and(|certificate| naive_check(self, &certificate, None));
        Judgement { checked, naive }
    }

    fn roots(&self, root: &str, count: usize, choose: &mut dyn FnMut(usize) -> usize) -> Vec<String> {
        const PLIES_MAX: usize = 20;
        let Ok(root) = self.parse_position(root) else { return Vec::new() };
        let mut moves = Vec::new();
        let mut walk = |from: &G::Position| {
            let mut position = from.clone();
            for _ in 0..choose(PLIES_MAX) {
                if self.outcome(&position).is_some() {
                    break;
                }
                moves.clear();
                self.moves(&position, &mut moves);
                position = self.after(&position, moves[choose(moves.len())]);
            }
            self.position_text(&position)
        };
        let start = self.start();
        (0..count).map(|number| walk(if number % 2 == 0 { &root } else { &start })).collect()
    }
}

/// Makes a [`Judge`] of every game of a registry.
pub struct Judges;

impl Adapter for Judges {
    type Door = dyn Judge;
    fn wrap<G: Game + Notation>(game: G) -> Box<dyn Judge> {
        Box::new(game)
    }
}
