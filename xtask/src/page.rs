//! The explorer's page: that what is checked in is what its sources give, and what people do on it, in a browser.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::JoinHandle;

use anyhow::{Context as _, Result, bail};

use crate::{run, step};

/// The sources of the page.
const PAGE: &str = "crates/explorer/page";
/// The oldest Node.js that its tools run on.
const NODE_MIN: u32 = 20;
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What the page's tests need, being fetched while something else is done.
pub(crate) struct Tools(JoinHandle<Result<PathBuf>>);

impl Tools {
    /// Begins to fetch what is missing.
    pub(crate) fn fetch() -> Self {
        Self(std::thread::spawn(install))
    }

    /// Waits for it, then checks everything. `program` is the one that serves the page.
    pub(crate) fn test(self, program: &Path) -> Result<()> {
        step("the explorer's page: Node.js, its packages and a browser");
        let browser = self.0.join().map_err(|_| anyhow::anyhow!("fetching them has failed"))??;
        step("the explorer's page: types, licences, and dist as its sources give it");
        npm(&["run", "check"])?;
        compare()?;
        licences()?;
        step("the explorer's page in a browser");
        let program = program.canonicalize().with_context(|| format!("there is no {}", program.display()))?;
        let pictures = std::env::current_dir()?.join("target/screenshots");
        run(Command::new("node")
            .args(["--test", "--test-concurrency=1", "--test-reporter=spec", "tests/"])
            .current_dir(PAGE)
            .env("QUOD", program)
            .env("CHROMIUM", browser)
            .env("SCREENSHOTS", &pictures))?;
        println!("pictures of the page are in {}", pictures.display());
        Ok(())
    }
}

/// Installs what is missing and returns the browser.
fn install() -> Result<PathBuf> {
    if version("node").is_none() || version("npm").is_none() {
        debian(&["nodejs", "npm"])?;
    }
    match version("node") {
        Some(major) if major >= NODE_MIN => {}
        Some(major) => bail!("Node.js {major} is too old for the page's tools: {NODE_MIN} is the least"),
        None => bail!("Node.js could not be installed"),
    }
    npm(&["ci", "--no-audit", "--no-fund"])?;
    if let Some(browser) = std::env::var_os("CHROMIUM") {
        return Ok(browser.into());
    }
    if browser().is_none() {
        debian(&["chromium"])?;
    }
    browser().context("no Chromium was found: install one, or name it in the variable CHROMIUM")
}

/// The first number of a program's version, if it is there.
fn version(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

fn browser() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .find(|path| path.is_file())
}

fn debian(packages: &[&str]) -> Result<()> {
    println!("installing {}", packages.join(", "));
    let apt = |words: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut command)
    };
    let installed = apt(&["update", "-qq"])
        .and_then(|()| apt(&[&["install", "-y", "-qq", "--no-install-recommends"], packages].concat()));
    installed.with_context(|| format!("{} are missing and could not be installed", packages.join(", ")))
}

fn npm(words: &[&str]) -> Result<()> {
    run(Command::new("npm").args(words).current_dir(PAGE))
}

/// Builds the page beside the one that is checked in: they must be the same.
fn compare() -> Result<()> {
    let built = std::env::current_dir()?.join("target/page");
    let folder = built.to_string_lossy();
    npm(&["run", "build", "--", "--outDir", &folder, "--emptyOutDir", "--logLevel", "warn"])?;
    let (fresh, kept) = (files(&built)?, files(&Path::new(PAGE).join("dist"))?);
    for name in fresh.keys().chain(kept.keys()) {
        if fresh.get(name) != kept.get(name) {
            bail!("{PAGE}/dist is not what its sources give ({name}): npm run build there, and commit it");
        }
    }
    println!("{} files, the same as those that are checked in", fresh.len());
    Ok(())
}

/// No package of the page, or of what builds it, is under a copyleft licence (MPL is fine).
fn licences() -> Result<()> {
    let lock = std::fs::read_to_string(Path::new(PAGE).join("package-lock.json"))?;
    let named: Vec<&str> = lock.lines().filter(|line| line.contains("\"license\":")).collect();
    if let Some(line) = named.iter().find(|line| line.contains("GPL")) {
        bail!("a package of the page has the licence {}", line.trim());
    }
    println!("{} packages, none of them under a copyleft licence", named.len());
    Ok(())
}

/// The files of a folder, by their names in it.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).context("it is in that folder")?.display().to_string();
                found.insert(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(found)
}
