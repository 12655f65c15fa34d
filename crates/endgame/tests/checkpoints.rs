//! Builds that are stopped and go on from checkpoints, good, damaged and forged.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quod_checkpoint::{Folder, Reader, Writer};
use quod_endgame::{BuildOptions, Checkpoints, Error, Event, Notice, Phase, build, verify};
use quod_games::{Awari, TicTacToe};
use quod_model::Notation;
use quod_model::testkit::Layers;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Folders for a build and its checkpoints.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("database")
    }

    fn kept(&self) -> PathBuf {
        self.folder.path().join("checkpoints")
    }

    fn options(&self, last: u32, every: Duration) -> BuildOptions {
        let checkpoints = Some(Checkpoints { dir: self.kept(), every });
        BuildOptions { checkpoints, threads: 2, ..BuildOptions::up_to(last) }
    }

    fn slices(&self) -> Vec<(PathBuf, Vec<u8>)> {
        files(&self.dir(), "quoddb")
    }

    fn checkpoints(&self) -> Vec<PathBuf> {
        files(&self.kept(), "checkpoint").into_iter().map(|(name, _)| self.kept().join(name)).collect()
    }
}

fn files(dir: &Path, ending: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(dir).expect("it is there").map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    files.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(dir).expect("it is in the folder").to_owned();
        (name, std::fs::read(path).expect("it can be read"))
    };
    files.into_iter().map(read).collect()
}

fn whole<G: Notation>(game: &G, last: u32) -> Vec<(PathBuf, Vec<u8>)> {
    let place = Place::new();
    build(game, &place.dir(), &BuildOptions::up_to(last), &mut |_| true).expect("it is built");
    place.slices()
}

/// Builds, and stops when a phase of a slice is told for the n-th time. What was noticed, and whether it was stopped.
fn stop_at<G: Notation>(
    game: &G,
    place: &Place,
    options: &BuildOptions,
    at: (u32, Phase, u32),
) -> (Vec<Notice>, bool) {
    let (mut notices, mut times) = (Vec::new(), 0);
    let mut watch = |event| {
        match event {
            Event::Notice(notice) => notices.push(notice),
            Event::Progress(progress) if (progress.slice, progress.phase) == (at.0, at.1) => times += 1,
            Event::Progress(_) => {}
        }
        times < at.2
    };
    let built = build(game, &place.dir(), options, &mut watch).expect("it is built or stopped");
    (notices, built.stopped)
}

/// The same to the end.
fn go_on<G: Notation>(game: &G, place: &Place, options: &BuildOptions) -> Vec<Notice> {
    let (notices, stopped) = stop_at(game, place, options, (u32::MAX, Phase::Load, 1));
    assert!(!stopped);
    notices
}

const NEVER: Duration = Duration::MAX;

#[test]
fn a_slice_goes_on_from_where_it_was_stopped() {
    let game = Awari::default();
    let whole = whole(&game, 11);
    for (phase, every) in [
        (Phase::Survey, NEVER),
        (Phase::Spread, NEVER),
        (Phase::Write, NEVER),
        (Phase::Survey, Duration::ZERO),
        (Phase::Spread, Duration::ZERO),
    ] {
        let place = Place::new();
        let options = place.options(11, every);
        let (notices, stopped) = stop_at(&game, &place, &options, (11, phase, 1));
        assert!(stopped && notices.is_empty() && place.slices().len() == 11, "{phase:?}: {notices:?}");
        // Stopped again while the checkpoint is read: it stays.
        assert!(stop_at(&game, &place, &options, (11, Phase::Resume, 1)).1);
        let path = place.checkpoints().pop().expect("there is one");
        assert_eq!(go_on(&game, &place, &options), [Notice::GoesOn { slice: 11, path }]);
        assert!(place.slices() == whole && place.checkpoints().is_empty(), "{phase:?}");
    }
}

#[test]
fn stops_after_every_few_calls_change_nothing() {
    let game = Layers::random(1, 3, 100_000);
    let whole = whole(&game, 2);
    for (threads, list_max) in [(1, 1 << 16), (2, 500), (3, 2000)] {
        let place = Place::new();
        let options = BuildOptions { threads, list_max, ..place.options(2, Duration::from_millis(5)) };
        let mut calls_max = 1;
        loop {
            let mut calls = 0;
            let mut watch = |_| {
                calls += 1;
                calls <= calls_max
            };
            if !build(&game, &place.dir(), &options, &mut watch).unwrap().stopped {
                break;
            }
            calls_max += 5;
        }
        assert!(place.slices() == whole && place.checkpoints().is_empty(), "{options:?}");
    }
}

fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).expect("it can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(path, bytes).expect("it can be written");
}

/// Stops in the middle of a slice twice, so that there are two checkpoints.
fn twice_stopped<G: Notation>(game: &G, place: &Place, options: &BuildOptions) {
    for phase in [Phase::Survey, Phase::Spread] {
        assert!(stop_at(game, place, options, (options.last, phase, 1)).1);
    }
    assert_eq!(place.checkpoints().len(), 2);
}

#[test]
fn a_damaged_checkpoint_falls_back() {
    let game = Awari::default();
    let (place, whole) = (Place::new(), whole(&game, 10));
    let options = place.options(10, NEVER);
    twice_stopped(&game, &place, &options);
    let both = place.checkpoints();
    damage(&both[1]);
    let notices = stop_at(&game, &place, &options, (10, Phase::Survey, 1)).0;
    assert!(
        matches!(&notices[..], [Notice::Unusable(problem), Notice::GoesOn { slice: 10, path }]
            if problem.contains("it is damaged") && *path == both[0]),
        "{notices:?}"
    );
    // If none is good, the slice is begun anew.
    place.checkpoints().iter().for_each(|path| damage(path));
    let notices = go_on(&game, &place, &options);
    assert!(notices.iter().all(|notice| matches!(notice, Notice::Unusable(_))), "{notices:?}");
    assert!(notices.len() == 2 && place.slices() == whole && place.checkpoints().is_empty());
}

#[test]
fn what_belongs_to_something_else_is_not_used() {
    let (awari, place) = (Awari::default(), Place::new());
    let options = place.options(9, NEVER);
    assert!(stop_at(&awari, &place, &options, (9, Phase::Spread, 1)).1);
    // Another game, or other rules.
    let other = Place::new();
    let checkpoints = options.checkpoints.clone();
    let used = |game: &Awari| {
        let options = BuildOptions { checkpoints: checkpoints.clone(), ..BuildOptions::up_to(3) };
        build(game, &other.dir(), &options, &mut |_| true).map(|built| built.built)
    };
    let error = used(&Awari::new(3, 2).unwrap()).unwrap_err();
    assert!(matches!(error, Error::OtherCheckpoint { .. }));
    let message = error.to_string();
    let said =
        "these are checkpoints of awari (rules version 1), not of a database of awari:3x2 (rules version 1)";
    assert!(message.contains(said), "{message}");
    // A smaller slice does not need it, and leaves it alone.
    assert_eq!(used(&awari).unwrap(), 4);
    assert_eq!(place.checkpoints().len(), 1);
    // A slice that is there does not need it either.
    build(&awari, &place.dir(), &BuildOptions::up_to(9), &mut |_| true).unwrap();
    assert_eq!(go_on(&awari, &place, &place.options(10, NEVER)), []);
    assert!(place.slices() == whole(&awari, 10) && place.checkpoints().is_empty());
    // A checkpoint of something else.
    let mut folder = Folder::open(&place.kept()).unwrap();
    folder.write(|to| to.text("a se\narch")).unwrap();
    drop(folder);
    let error = build(&awari, &place.dir(), &place.options(10, NEVER), &mut |_| true).unwrap_err();
    assert!(error.to_string().contains("of something else (\"a se\\narch\"), not of"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_used_is_said_before_the_work() {
    let (game, place) = (Awari::default(), Place::new());
    let refused = || {
        let mut watch = |_| panic!("nothing is to be done");
        build(&game, &place.dir(), &place.options(3, NEVER), &mut watch).unwrap_err().to_string()
    };
    std::fs::write(place.kept(), "a file").unwrap();
    assert!(refused().starts_with("cannot make the folder"), "{}", refused());
    std::fs::remove_file(place.kept()).unwrap();
    let _folder = Folder::open(&place.kept()).unwrap();
    assert!(refused().starts_with("another program uses the checkpoints"), "{}", refused());
}

#[test]
fn checkpoints_that_cannot_be_written_do_not_stop_the_work() {
    let (game, place) = (Awari::default(), Place::new());
    let options = place.options(12, Duration::ZERO);
    let (mut failed, mut left) = (0, 0);
    let mut watch = |event| {
        match event {
            Event::Notice(Notice::NotWritten(problem)) => {
                assert!(problem.starts_with("cannot write"), "{problem}");
                failed += 1;
            }
            Event::Notice(Notice::NotRemoved(_)) => left += 1,
            Event::Notice(notice) => panic!("{notice}"),
            // The folder vanishes.
            Event::Progress(progress) if progress.slice == 11 => {
                let _ = std::fs::remove_dir_all(place.kept());
            }
            Event::Progress(progress) if progress.slice == 12 => {
                let _ = std::fs::create_dir(place.kept());
            }
            Event::Progress(_) => {}
        }
        true
    };
    assert!(!build(&game, &place.dir(), &options, &mut watch).unwrap().stopped);
    assert!(failed > 0 && left <= 1, "{failed} {left}");
    assert!(place.slices() == whole(&game, 12) && place.checkpoints().is_empty());
}

/// What a checkpoint says, to be written differently.
#[derive(Clone, Debug)]
struct Said {
    kind: String,
    game: String,
    rules_version: u32,
    slice: u32,
    size: u64,
    value_max: i32,
    stage: u8,
    at: u64,
    nothing: u64,
    words: Vec<u16>,
}

impl Said {
    fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("it can be read");
        let mut from = Reader::new(&bytes[..], bytes.len() as u64).expect("a checkpoint");
        let mut read = || -> Result<Self, quod_checkpoint::Failure> {
            Ok(Self {
                kind: from.text()?,
                game: from.text()?,
                rules_version: from.item()?,
                slice: from.item()?,
                size: from.item()?,
                value_max: from.item()?,
                stage: from.item()?,
                at: from.item()?,
                nothing: from.item()?,
                words: from.items()?,
            })
        };
        let said = read().expect("items in this order");
        from.end().expect("and nothing else");
        said
    }

    fn write(&self, to: &mut Writer<'_>) -> std::io::Result<()> {
        to.text(&self.kind)?;
        to.text(&self.game)?;
        to.item(self.rules_version)?;
        to.item(self.slice)?;
        to.item(self.size)?;
        to.item(self.value_max)?;
        to.item(self.stage)?;
        to.item(self.at)?;
        to.item(self.nothing)?;
        to.items(&self.words)
    }

    /// Changes something at random.
    fn forge(&mut self, random: &mut Xoshiro256PlusPlus) {
        let number = |random: &mut Xoshiro256PlusPlus, now: u64| match random.random_range(0..5) {
            0 => now.wrapping_add(1),
            1 => now.wrapping_sub(1),
            2 => random.random_range(0..30),
            3 => u64::MAX,
            _ => random.random(),
        };
        match random.random_range(0..12) {
            0 => self.rules_version = number(random, self.rules_version.into()) as u32,
            1 => self.slice = number(random, self.slice.into()) as u32,
            2 => self.size = number(random, self.size),
            3 => self.value_max = number(random, u64::from(self.value_max.unsigned_abs())) as i32,
            4 => self.stage = number(random, self.stage.into()) as u8,
            5 => {
                self.at = number(random, self.at);
                // As much of it as that says, so that the rest is believed.
                if self.stage == 0 && self.at <= self.size {
                    self.words.resize(self.at as usize, random.random());
                }
            }
            6 => self.nothing = number(random, self.nothing),
            7 => self.words.truncate(random.random_range(0..=self.words.len())),
            8 => self.words.iter_mut().for_each(|word| *word = random.random()),
            9 => self.words.iter_mut().for_each(|word| *word ^= random.random::<u16>() & 0xc000),
            10 => {
                // Words that could be, but are not those of these positions.
                let (most, at) = (self.value_max.clamp(0, 127), self.at.min(127) as i32);
                self.words.iter_mut().for_each(|word| {
                    *word = if random.random_bool(0.5) {
                        let value = (random.random_range(-most..=most) + 128) as u16;
                        value | 1 << 14 | u16::from(random.random_bool(0.5)) << 15
                    } else {
                        let best = if self.stage == 0 { most } else { at.min(most) };
                        (random.random_range(-128..=best) + 128) as u16 | random.random_range(1..64) << 8
                    };
                });
            }
            _ => {
                let count = self.words.len();
                if count > 0 {
                    self.words[random.random_range(0..count)] ^= 1 << random.random_range(0..16);
                }
            }
        }
    }
}

/// Whatever a checkpoint with right checksums says, the work ends: with its message, or with a file that is whole.
#[test]
fn forged_checkpoints_never_panic() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let layers = Layers::random(5, 3, 200);
    let (mut used, mut refused, mut errors) = (0, 0, 0);
    for phase in [Phase::Survey, Phase::Spread, Phase::Write] {
        forged(&layers, 2, phase, &mut random, [&mut used, &mut refused, &mut errors]);
        forged(&TicTacToe, 4, phase, &mut random, [&mut used, &mut refused, &mut errors]);
        forged(&Awari::new(3, 2).unwrap(), 5, phase, &mut random, [&mut used, &mut refused, &mut errors]);
    }
    assert!(used > 50 && refused > 200 && errors > 20, "{used} used, {refused} refused, {errors} errors");
}

fn forged<G: Notation>(
    game: &G,
    last: u32,
    phase: Phase,
    random: &mut Xoshiro256PlusPlus,
    [used, refused, errors]: [&mut u32; 3],
) {
    let place = Place::new();
    let options = place.options(last, NEVER);
    let file = place.dir().join(format!("slice-{last:03}.quoddb"));
    // A small slice may be done before anybody can stop it.
    while !stop_at(game, &place, &options, (last, phase, 1)).1 {
        std::fs::remove_file(&file).expect("it was built");
    }
    let honest = Said::read(&place.checkpoints()[0]);
    for _ in 0..60 {
        let mut said = honest.clone();
        for _ in 0..random.random_range(1..=3) {
            said.forge(random);
        }
        std::fs::remove_dir_all(place.kept()).expect("a folder");
        let _ = std::fs::remove_file(&file);
        let mut folder = Folder::open(&place.kept()).expect("a folder");
        folder.write(|to| said.write(to)).expect("it is written");
        drop(folder);
        let mut notices = Vec::new();
        let mut watch = |event| {
            if let Event::Notice(notice) = event {
                notices.push(notice);
            }
            true
        };
        match build(game, &place.dir(), &options, &mut watch) {
            Err(Error::OtherCheckpoint { .. }) => *errors += 1,
            Err(error) => panic!("{error}: {said:?}"),
            Ok(_) if notices.iter().any(|notice| matches!(notice, Notice::GoesOn { .. })) => *used += 1,
            // It is not that of a slice that is to be built, or the slice was begun anew.
            Ok(built) => {
                *refused += 1;
                assert_eq!(built.built, 1);
                verify(game, &place.dir(), 1, &mut |_| true).expect("all values are right");
            }
        }
    }
}
