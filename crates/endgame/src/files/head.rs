//! The first bytes of a file, which say what it is, and the last, which sum it up.

use crate::code::{BLOCK, GROUP};
use crate::word::VALUE_MAX;

const MAGIC: [u8; 8] = *b"QuodDB\r\n";
const VERSION: u32 = 1;
/// The head without the game's text.
const FIXED: usize = 40;
/// The bytes at the end.
pub(crate) const TAIL: usize = 5 * 8 + 2 * 32;
/// The longest text that names a game.
const TEXT_MAX: usize = 1000;

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A byte for each.
    Plain,
    /// In codes of variable length.
    #[default]
    Compressed,
}

/// What a file says that it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) form: Form,
    pub(crate) rules_version: u32,
    pub(crate) slice: u32,
    pub(crate) value_max: i32,
    pub(crate) size: u64,
    pub(crate) game: String,
}

impl Head {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        assert!(self.game.len() <= TEXT_MAX, "the text that names the game is too long");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(match self.form {
            Form::Plain => 0u32.to_le_bytes(),
            Form::Compressed => 1u32.to_le_bytes(),
        });
        bytes.extend(self.rules_version.to_le_bytes());
        bytes.extend(self.slice.to_le_bytes());
        bytes.extend(self.value_max.to_le_bytes());
        bytes.extend((self.game.len() as u32).to_le_bytes());
        bytes.extend(self.size.to_le_bytes());
        bytes.extend(self.game.bytes());
        bytes.resize(self.len(), 0);
        bytes
    }

    /// How many bytes it takes: a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        (FIXED + self.game.len()).next_multiple_of(8)
    }

    /// # Errors
    /// Says what is wrong with the file.
    pub(crate) fn read(file: &[u8]) -> Result<Self, String> {
        let short = || "it is cut off".to_owned();
        if file.get(..8) != Some(&MAGIC) {
            return Err("it is no database file of Quod".to_owned());
        }
        let word =
            |at: usize| file.get(at..).and_then(<[u8]>::first_chunk).map(|bytes| u32::from_le_bytes(*bytes));
        let version = word(8).ok_or_else(short)?;
        if version != VERSION {
            return Err(format!(
                "it has version {version} of the format, this program reads version {VERSION}"
            ));
        }
        let form = match word(12).ok_or_else(short)? {
            0 => Form::Plain,
            1 => Form::Compressed,
            other => return Err(format!("it has the unknown form {other}")),
        };
        let length = word(28).ok_or_else(short)? as usize;
        if length > TEXT_MAX {
            return Err("the text that names its game is too long".to_owned());
        }
        let text = file.get(FIXED..FIXED + length).ok_or_else(short)?;
        let size = file.get(32..).and_then(<[u8]>::first_chunk).map(|bytes| u64::from_le_bytes(*bytes));
        let head = Self {
            form,
            rules_version: word(16).ok_or_else(short)?,
            slice: word(20).ok_or_else(short)?,
            value_max: word(24).ok_or_else(short)?.cast_signed(),
            size: size.ok_or_else(short)?,
            game: String::from_utf8(text.to_vec())
                .ok()
                .filter(|game| !game.chars().any(char::is_control))
                .ok_or("the name of its game is no text")?,
        };
        if !(0..=VALUE_MAX).contains(&head.value_max) {
            return Err(format!("its largest value is {}", head.value_max));
        }
        if file.get(..head.len()) != Some(&head.bytes()) {
            return Err("its head is altered".to_owned());
        }
        Ok(head)
    }

    /// How many values a value can have.
    pub(crate) fn symbols(&self) -> usize {
        2 * self.value_max.unsigned_abs() as usize + 1
    }

    /// The blocks and the groups of the compressed form.
    pub(crate) fn blocks(&self) -> (u64, u64) {
        (self.size.div_ceil(BLOCK as u64), self.size.div_ceil(GROUP as u64))
    }
}
