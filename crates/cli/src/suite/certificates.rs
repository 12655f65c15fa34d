//! The certificates of a suite: one file for each position, in one folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use quod_solver::{Problem, Solution};

use crate::target::Target;

/// Longer names are cut: not every file system takes them.
const NAME_MAX: usize = 80;

/// The files of all positions, in their order.
pub(super) struct Certificates(Vec<(PathBuf, Target)>);

impl Certificates {
    /// Makes the folder if it is not there, and makes sure that files can be written into it.
    pub(super) fn new(folder: &Path, problems: &[Problem]) -> anyhow::Result<Self> {
        if !folder.is_dir() {
            std::fs::create_dir(folder)
                .with_context(|| format!("certificate folder \"{}\" cannot be made", folder.display()))?;
        }
        let files = names(problems.iter().map(|problem| problem.id.as_str())).into_iter().map(|name| {
            let path = folder.join(name);
            Target::new("certificate", &path).map(|target| (path, target))
        });
        Ok(Self(files.collect::<anyhow::Result<_>>()?))
    }

    /// Writes the certificate of a position, if it has one.
    pub(super) fn store(&self, place: usize, solution: &mut Solution) -> anyhow::Result<()> {
        let Some(certificate) = solution.certificate.take() else { return Ok(()) };
        let (path, target) = self.0.get(place).ok_or_else(|| anyhow!("no file for position {place}"))?;
        target.store(&certificate.encode())?;
        solution.report.certificate = Some(path.display().to_string());
        Ok(())
    }
}

/// Names of files after ids: of letters, digits and `._-`, no two the same even where capitals do not count.
fn names<'i>(ids: impl Iterator<Item = &'i str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut name = |id: &str| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let name: String = id.chars().take(NAME_MAX).map(safe).collect();
        // A name that begins with a dot is hidden.
        let name = if name.starts_with('.') { format!("-{name}") } else { name };
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone()).chain(numbered);
        let free =
            free.map(|name| format!("{name}.quod")).find(|name| taken.insert(name.to_ascii_lowercase()));
        free.expect("numbers do not end")
    };
    ids.map(&mut name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_different() {
        let ids = ["a", "A", "a", "a-2", "../x y/z", ".b", "\u{e9}\u{0}", "WAC.001"];
        let expected = ["a", "A-2", "a-3", "a-2-2", "-..-x-y-z", "-.b", "--", "WAC.001"];
        let names = names(ids.into_iter());
        assert_eq!(names, expected.map(|name| format!("{name}.quod")));
        let long = "x".repeat(500);
        assert_eq!(
            super::names([long.as_str(), long.as_str()].into_iter())[1].len(),
            NAME_MAX + "-2.quod".len()
        );
    }
}
