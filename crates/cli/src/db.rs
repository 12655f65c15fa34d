//! `quod db`.

pub(crate) mod options;

use std::path::Path;
use std::time::Instant;

use anyhow::anyhow;
use quod_solver::{
    DatabaseCheckpoints, DatabaseError, DatabaseEvent, DatabaseRequest, Door, EndgameError, Form, Games,
    Place, SliceFile, slices_in,
};
use serde_json::json;

use crate::bar::Bar;
use crate::columns::{Column, drawn};
use crate::numbers::{bytes, grouped, short};
use crate::output::{print, print_json};
use crate::progress::catch_interrupts;
use crate::solve::terminal_width;
use crate::{Ending, Failure, program};
use options::{BuildOptions, DbCommand, InfoOptions, ProbeOptions, VerifyOptions};

pub(crate) fn run(games: &Games, command: &DbCommand) -> Result<Ending, Failure> {
    match command {
        DbCommand::Build(options) => build(games, options),
        DbCommand::Info(options) => info(options),
        DbCommand::Probe(options) => probe(games, options),
        DbCommand::Verify(options) => verify(games, options),
    }
}

fn shown(bar: &mut Bar, event: &DatabaseEvent) -> bool {
    match event {
        DatabaseEvent::Progress(progress) => {
            bar.show(progress.fraction(), || format!("slice {}: {}", progress.slice, progress.phase.name()))
        }
        DatabaseEvent::Notice(notice) => {
            bar.say(&notice.to_string());
            true
        }
    }
}

fn build(games: &Games, options: &BuildOptions) -> Result<Ending, Failure> {
    let game = open(games, &options.game)?;
    let plan = game.plan_database(options.stones).map_err(failure)?;
    let (numbers, memory) = (grouped(plan.numbers), bytes(plan.memory_bytes));
    eprintln!("slices 0 to {}: {numbers} positions, up to {memory} of memory", options.stones);
    let request = DatabaseRequest {
        last: options.stones,
        threads: options.threads,
        memory_bytes_max: options.memory,
        plain: options.plain,
        checkpoints: options.checkpoint.clone().map(|dir| DatabaseCheckpoints { dir, every: options.every }),
    };
    catch_interrupts();
    let begun = Instant::now();
    let mut bar = Bar::new();
    let built = game.build_database(&options.dir, &request, &mut |event| shown(&mut bar, &event));
    drop(bar);
    let built = built.map_err(failure)?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = short((built.numbers as f64 / seconds.max(0.001)) as u64);
    let mut text = format!(
        "Built  {} slices, {} positions in {seconds:.2} s ({rate}/s); {} slices were there before\n",
        built.built,
        grouped(built.numbers),
        built.kept
    );
    if built.stopped {
        text += "       stopped before the last one: the same command goes on from there\n";
        return print(&text).map(|()| Ending::Unsolved);
    }
    let slices = slices_in(&options.dir).map_err(failure)?;
    let (size, positions) = size(&slices);
    let dir = options.dir.display();
    text += &format!(
        "Files  {dir}: {}, {:.3} bytes a position\n       look: {} db info --dir {dir}\n",
        bytes(size),
        size as f64 / positions.max(1) as f64,
        program()
    );
    print(&text).map(|()| Ending::Done)
}

fn info(options: &InfoOptions) -> Result<Ending, Failure> {
    let slices = slices_in(&options.dir).map_err(failure)?;
    if options.json {
        return print_json(&slices.iter().map(described).collect::<Vec<_>>()).map(|()| Ending::Done);
    }
    let cells = |cell: fn(&SliceFile) -> String| slices.iter().map(cell).collect::<Vec<_>>();
    let stones = Column::right("stones", cells(|slice| slice.slice().to_string()));
    let others = [
        Column::right("positions", cells(|slice| grouped(slice.summary().positions()))),
        Column::right("won", cells(|slice| grouped(slice.summary().won))),
        Column::right("drawn", cells(|slice| grouped(slice.summary().drawn))),
        Column::right("lost", cells(|slice| grouped(slice.summary().lost))),
        Column::right("sum", cells(|slice| slice.summary().sum.to_string())),
        Column::left("checksum", cells(|slice| slice.summary().checksum_text()[..16].to_owned())),
    ];
    let (size, positions) = size(&slices);
    let last = slices.len() - 1;
    let text = format!(
        "{} in {}: slices 0 to {last}, {} positions, {} ({:.3} bytes a position)\n\n{}",
        slices[0].game(),
        options.dir.display(),
        grouped(positions),
        bytes(size),
        size as f64 / positions.max(1) as f64,
        drawn(&[stones], &others, terminal_width())
    );
    note_gap(&options.dir, slices.len());
    print(&text).map(|()| Ending::Done)
}

/// Says that files above a missing slice are not used.
fn note_gap(dir: &Path, missing: usize) {
    let number = |name: &str| name.strip_prefix("slice-")?.strip_suffix(".quoddb")?.parse::<usize>().ok();
    let names = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let above =
        names.filter_map(|entry| number(entry.file_name().to_str()?)).filter(|slice| *slice > missing);
    let above = above.count();
    if above > 0 {
        eprintln!("{}: slice {missing} is missing, so {above} files above it are not used", program());
    }
}

fn described(slice: &SliceFile) -> serde_json::Value {
    let summary = slice.summary();
    json!({
        "stones": slice.slice(),
        "positions": summary.positions(),
        "won": summary.won,
        "drawn": summary.drawn,
        "lost": summary.lost,
        "sum": summary.sum,
        "checksum": summary.checksum_text(),
        "fnv1a64": format!("{:016x}", summary.fnv),
        "form": if slice.form() == Form::Plain { "plain" } else { "compressed" },
        "bytes": slice.file_bytes(),
    })
}

/// The bytes of all files, and their positions.
fn size(slices: &[SliceFile]) -> (u64, u64) {
    let bytes = slices.iter().map(SliceFile::file_bytes).sum();
    (bytes, slices.iter().map(|slice| slice.summary().positions()).sum())
}

fn probe(games: &Games, options: &ProbeOptions) -> Result<Ending, Failure> {
    let game = open(games, &options.game)?;
    let place = Place { position: options.position.clone(), moves: options.moves.clone() };
    let probed = game.probe_database(&options.dir, &place).map_err(failure)?;
    if options.json {
        let moves = probed.moves.iter().map(|(mv, value)| json!({ "move": mv, "value": value }));
        let answer = json!({
            "game": game.game_text(),
            "position": probed.position,
            "to_move": probed.to_move,
            "stones": probed.slice,
            "value": probed.value,
            "moves": moves.collect::<Vec<_>>(),
        });
        return print_json(&answer).map(|()| Ending::Done);
    }
    let mut lines = vec![
        format!("{}, {} to move\n", game.game_text(), probed.to_move),
        format!("{}\n", probed.picture),
        format!("Value  {} for {}: the exact value, from the database", probed.value_text, probed.to_move),
    ];
    for (at, (mv, value)) in probed.moves.iter().enumerate() {
        let best = if *value == probed.value { "  best" } else { "" };
        lines.push(format!("{}  {mv:<8} {value:>+4}{best}", if at == 0 { "Moves" } else { "     " }));
    }
    print(&(lines.join("\n") + "\n")).map(|()| Ending::Done)
}

fn verify(games: &Games, options: &VerifyOptions) -> Result<Ending, Failure> {
    let dir = options.dir.display();
    let slices = slices_in(&options.dir).map_err(refused)?;
    let game = games.open(slices[0].game()).map_err(Failure::input)?;
    catch_interrupts();
    let begun = Instant::now();
    let mut bar = Bar::new();
    let verified = game.verify_database(&options.dir, options.threads, &mut |event| shown(&mut bar, &event));
    drop(bar);
    let Some(numbers) = verified.map_err(refused)? else {
        eprintln!("{}: {dir}: stopped before all values were verified", program());
        return Ok(Ending::Unsolved);
    };
    let text = format!(
        "Verified  {dir}: {}, slices 0 to {}, all {} values are right\n          in {:.1} s\n",
        slices[0].game(),
        slices.len() - 1,
        grouped(numbers),
        begun.elapsed().as_secs_f64()
    );
    print(&text).map(|()| Ending::Done)
}

/// Opens a game that has databases.
fn open(games: &Games, text: &str) -> Result<Box<dyn Door>, Failure> {
    let game = games.open(text).map_err(Failure::input)?;
    if game.has_databases() {
        return Ok(game);
    }
    let names = games.descriptions().map(|game| game.name);
    let with: Vec<_> = names.filter(|name| games.open(name).is_ok_and(|game| game.has_databases())).collect();
    let text = game.game_text();
    Err(Failure::input(anyhow!(
        "game \"{text}\": its positions are not numbered, so there are no databases of it\n  games with databases: {}",
        with.join(", ")
    )))
}

/// What a person can mend has another exit status than what the machine refuses.
fn failure(error: DatabaseError) -> Failure {
    match error {
        DatabaseError::Database(EndgameError::Io { .. }) => error.into(),
        _ => Failure::input(error),
    }
}

/// Values that are wrong, and files that are damaged, are refused.
fn refused(error: DatabaseError) -> Failure {
    match error {
        DatabaseError::Database(EndgameError::Wrong { .. } | EndgameError::File { .. }) => error.into(),
        _ => failure(error),
    }
}
