//! The slices of a game in a folder, opened for probing.

use std::path::Path;

use quod_model::{Citation, Game, IndexFns, Notation, Oracle, Relative, Slot, Value};

use crate::Error;
use crate::files::{self, SliceFile, rules_text};
use crate::word::VALUE_MAX;

/// A game with its numbering.
pub(crate) struct Numbered<'g, G: Game> {
    pub(crate) game: &'g G,
    pub(crate) index: IndexFns<G>,
}

impl<'g, G: Notation> Numbered<'g, G> {
    pub(crate) fn new(game: &'g G) -> Result<Self, Error> {
        let index = game.abilities().index.ok_or_else(|| Error::NoNumbering(game.game_text()))?;
        Ok(Self { game, index })
    }

    pub(crate) fn check_slice(&self, slice: u32) -> Result<(), Error> {
        let slices = (self.index.slices)(self.game);
        let error = || Error::NoSlice { slice, game: self.game.game_text(), last: slices - 1 };
        if slice < slices { Ok(()) } else { Err(error()) }
    }
}

impl<G: Game> Numbered<'_, G> {
    pub(crate) fn size(&self, slice: u32) -> usize {
        usize::try_from((self.index.slice_size)(self.game, slice)).expect("fewer numbers than addresses")
    }

    pub(crate) fn value_max(&self, slice: u32) -> i32 {
        let largest = (self.index.slice_value_max)(self.game, slice);
        assert!((0..=VALUE_MAX).contains(&largest), "values of slice {slice} do not fit a byte");
        largest
    }
}

/// Opens the file of a slice if it is of these rules.
pub(crate) fn open_slice<G: Notation>(
    dir: &Path,
    slice: u32,
    rules: &Numbered<'_, G>,
) -> Result<SliceFile, Error> {
    let file = SliceFile::open(&files::path(dir, slice))?;
    check_slice(&file, slice, rules)?;
    Ok(file)
}

/// Checks that a file holds a slice of these rules.
fn check_slice<G: Notation>(file: &SliceFile, slice: u32, rules: &Numbered<'_, G>) -> Result<(), Error> {
    file.check(slice, &rules_text(&rules.game.game_text(), rules.game.rules_version()))?;
    if file.size() != rules.size(slice) as u64 || file.value_max() != rules.value_max(slice) {
        let problem = "it has another number of positions or values than the game";
        return Err(Error::file(file.path(), problem));
    }
    Ok(())
}

/// The slices that a folder holds, of whatever game, from the first one up to where one is missing. Every file is checked.
///
/// # Errors
/// If there is none, if one is not whole, or if they are of different games.
pub fn slices_in(dir: &Path) -> Result<Vec<SliceFile>, Error> {
    let mut slices: Vec<SliceFile> = Vec::new();
    for slice in 0.. {
        let path = files::path(dir, slice);
        if !path.exists() {
            break;
        }
        let file = SliceFile::open(&path)?;
        let wanted = slices.first().map_or_else(|| file.rules_text(), SliceFile::rules_text);
        file.check(slice, &wanted)?;
        slices.push(file);
    }
    if slices.is_empty() { Err(Error::Nothing { path: dir.to_owned() }) } else { Ok(slices) }
}

/// All slices of a game that a folder holds, from the first one up to where one is missing.
pub struct Databases<G: Game> {
    slices: Vec<SliceFile>,
    index: IndexFns<G>,
}

impl<G: Notation> Databases<G> {
    /// Opens a folder. Every file is read once and checked.
    ///
    /// # Errors
    /// If there is none, or one is damaged, altered or of other rules.
    pub fn open(dir: &Path, game: &G) -> Result<Self, Error> {
        let rules = Numbered::new(game)?;
        let there = (0..(rules.index.slices)(game)).take_while(|slice| files::path(dir, *slice).exists());
        let slices = there.map(|slice| open_slice(dir, slice, &rules)).collect::<Result<Vec<_>, _>>()?;
        if slices.is_empty() {
            return Err(Error::Nothing { path: dir.to_owned() });
        }
        Ok(Self { slices, index: rules.index })
    }

    /// Slices that were opened, from 0 on.
    ///
    /// # Errors
    /// If one is of other rules, or they are not those of the game.
    pub fn of_slices(slices: Vec<SliceFile>, game: &G) -> Result<Self, Error> {
        let rules = Numbered::new(game)?;
        for (slice, file) in (0..).zip(&slices) {
            rules.check_slice(slice)?;
            check_slice(file, slice, &rules)?;
        }
        Ok(Self { slices, index: rules.index })
    }

    /// The same with so many slices at the most.
    #[must_use]
    pub fn limited(mut self, slices: u32) -> Self {
        self.slices.truncate(slices as usize);
        self
    }

    /// Compares all values with the checksums that their files state. A file that is whole may still state those of others: who is
    /// to trust a citation asks for this first.
    ///
    /// # Errors
    /// Names the first file whose values are not those that it says.
    pub fn check_values(&self) -> Result<(), Error> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        self.slices.iter().try_for_each(|slice| slice.check_values(threads))
    }

    /// The slices, from 0 on.
    #[must_use]
    pub fn slices(&self) -> &[SliceFile] {
        &self.slices
    }

    /// One checksum for the values of all slices: BLAKE3 over their checksums.
    #[must_use]
    pub fn checksum(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for slice in &self.slices {
            hasher.update(&slice.summary().checksum);
        }
        *hasher.finalize().as_bytes()
    }

    /// What they take in memory beside the mapped files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.slices.iter().map(SliceFile::bytes).sum()
    }

    /// The stored value at a place, if that is there.
    ///
    /// # Panics
    /// If the slice is there and has no such number.
    #[must_use]
    pub fn stored(&self, slot: Slot) -> Option<i32> {
        Some(self.slices.get(slot.slice as usize)?.value(slot.number))
    }
}

impl<G: Notation> Oracle<G> for Databases<G> {
    fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        let stored = self.stored((self.index.slot)(game, position)?)?;
        let value = Relative((self.index.made)(game, position) + stored);
        Some(value.for_first(game.to_move(position)))
    }

    fn cite(&self) -> Citation {
        Citation { slices: u32::try_from(self.slices.len()).expect("few slices"), checksum: self.checksum() }
    }
}
