//! Files that are written at the end of long work: looked at before it, and complete or not there at all after it.

use std::fs::Permissions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

/// Where a file goes.
pub(crate) struct Target {
    /// What it is to people: certificate, plot.
    what: &'static str,
    path: PathBuf,
    /// The permissions of the file that is replaced.
    permissions: Option<Permissions>,
}

impl Target {
    /// Makes sure that a file can be written there, before the work that fills it.
    pub(crate) fn new(what: &'static str, path: &Path) -> anyhow::Result<Self> {
        let wrong = |problem: String| anyhow!("{what} file \"{}\": {problem}", path.display());
        // What a link points to is replaced, not the link; what is no file is left alone.
        let target = match std::fs::canonicalize(path) {
            Err(_) => Self { what, path: path.to_owned(), permissions: None },
            Ok(path) => {
                let there = std::fs::metadata(&path).map_err(|error| wrong(error.to_string()))?;
                if !there.is_file() {
                    return Err(wrong("it exists and is no ordinary file; name another".to_owned()));
                }
                if there.permissions().readonly() {
                    return Err(wrong("it exists and is read-only; name another".to_owned()));
                }
                Self { what, path, permissions: Some(there.permissions()) }
            }
        };
        let folder = target.folder();
        if !folder.is_dir() {
            return Err(wrong(format!("there is no folder \"{}\"", folder.display())));
        }
        tempfile::tempfile_in(folder).map_err(|error| {
            wrong(format!("cannot write into \"{}\" ({})", folder.display(), error.kind()))
        })?;
        Ok(target)
    }

    fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Writes a file beside it, which takes its place when it is complete.
    pub(crate) fn store(&self, content: &[u8]) -> anyhow::Result<()> {
        let failed = || format!("cannot write the {} to {}", self.what, self.path.display());
        let mut builder = tempfile::Builder::new();
        // A new file is as readable as the user wants new files to be.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(self.folder()).with_context(failed)?;
        file.write_all(content).with_context(failed)?;
        file.as_file().sync_all().with_context(failed)?;
        if let Some(permissions) = &self.permissions {
            file.as_file().set_permissions(permissions.clone()).with_context(failed)?;
        }
        file.persist(&self.path).map_err(|error| error.error).with_context(failed)?;
        Ok(())
    }
}
