//! Test positions that are no part of Quod, from EPD files of a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quod_model::InputError;

use crate::door::{Games, Place};
use crate::suite::read_suite;

/// Chess positions by the names that the papers give them: k and the number of a diagram of Krabbé, r and the number of a position
/// of Reinfeld.
#[derive(Debug, Default)]
pub struct Positions(BTreeMap<String, String>);

impl Positions {
    /// Reads the EPD files of a folder. Positions that no paper names are passed over.
    ///
    /// # Errors
    /// If the folder or a file cannot be read, if a line is no position of chess, or if none has such a name.
    pub fn read(dir: &Path, games: &Games) -> Result<Self, InputError> {
        let failed = |path: &Path, error: std::io::Error| {
            InputError::new("data", path.display().to_string(), error.to_string())
        };
        let entries: Result<Vec<PathBuf>, std::io::Error> =
            std::fs::read_dir(dir).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
        let mut files = entries.map_err(|error| failed(dir, error))?;
        files.retain(|file| file.extension().is_some_and(|extension| extension == "epd"));
        files.sort();
        let chess = games.open("chess")?;
        let mut positions = Self::default();
        for file in &files {
            let text = std::fs::read_to_string(file).map_err(|error| failed(file, error))?;
            let problems = read_suite(&*chess, &file.display().to_string(), &text)?;
            let named = problems.into_iter().filter(|problem| is_of_a_paper(&problem.id));
            positions.0.extend(named.map(|problem| (problem.id, problem.position)));
        }
        if positions.0.is_empty() {
            let problem = "it has no EPD file with a position named as in the papers";
            return Err(InputError::new("data", dir.display().to_string(), problem)
                .hint("a line of a file NAME.epd such as: 7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - id \"r6\";"));
        }
        Ok(positions)
    }

    /// A position by name, if it is there.
    pub(super) fn place(&self, id: &str) -> Option<Place> {
        let fen = self.0.get(id)?;
        Some(Place { position: Some(fen.clone()), moves: None })
    }
}

fn is_of_a_paper(id: &str) -> bool {
    id.strip_prefix(['k', 'r']).is_some_and(|number| number.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::games;

    const R6: &str = "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1";

    fn read(text: &str) -> Result<Positions, InputError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("some.epd"), text).unwrap();
        std::fs::write(dir.path().join("other.txt"), "k1").unwrap();
        Positions::read(dir.path(), &games())
    }

    #[test]
    fn positions_are_found_by_the_names_of_the_papers() {
        let positions = read(&format!("{R6} bm Rb7; id \"r6\"; dm 11;\n\n{R6} id \"WAC.006\";\n")).unwrap();
        assert_eq!(positions.place("r6").unwrap().position.as_deref(), Some(R6));
        assert_eq!(positions.place("WAC.006"), None);
        assert_eq!(positions.place("r7"), None);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, said) in [
            (
                "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - id \"WAC.006\";",
                "no EPD file with a position named as in the papers",
            ),
            ("nothing at all", "some.epd, line 1"),
            ("7k/p7/1R5K/6r1/6p1/6P1/8/9 w - - id \"r6\";", "some.epd, line 1"),
            ("\n8/8/8/8/8/8/8/K7 w - - id \"k6\";", "some.epd, line 2"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
        let missing = Positions::read(Path::new("no/such/folder"), &games()).unwrap_err().to_string();
        assert!(missing.contains("no/such/folder"), "{missing}");
    }
}
