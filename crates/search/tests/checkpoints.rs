//! A search that is written down at any moment, made anew and given back what it held goes on as if nothing had happened: the
//! same answer, the same counts. And what nobody has written is refused, not believed.

use std::sync::Arc;

use quod_checkpoint::{Reader, Writer};
use quod_games::ConnectFour;
use quod_model::testkit::{Graph, random_cyclic, random_dag, random_maze, random_tree};
use quod_model::{
    Evaluation, Goal, GoalCursor, Joining, LeafNumbers, Notation, Player, Relative, Value, ValueCursor,
    Verdict,
};
use quod_search::{
    Backup, Budget, Counters, Deletion, Dfpn, DfpnOptions, Gpn, Gpn2, GpnMethod, GpnOptions, GraphMethod,
    GraphOptions, GraphPn, Interval, Order, Pn, Pn2, PnOptions, Progress, Search, SecondLevel, SharedTable,
    Thresholds,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A search and what it shares with others.
struct Work<'c> {
    search: Box<dyn Search + 'c>,
    table: Option<Arc<SharedTable>>,
}

impl Work<'_> {
    fn written(&self) -> Option<Vec<u8>> {
        let state = self.search.state()?;
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file).expect("memory can be written");
        if let Some(table) = &self.table {
            quod_checkpoint::State::write(&**table, &mut writer).expect("memory can be written");
        }
        state.write(&mut writer).expect("memory can be written");
        writer.end().expect("memory can be written");
        Some(file)
    }

    fn restore(&mut self, file: &[u8]) -> Result<(), quod_checkpoint::Failure> {
        let mut reader = Reader::new(file, file.len() as u64)?;
        if let Some(table) = &self.table {
            table.restore(&mut reader)?;
        }
        self.search.restored().expect("it can be restored").restore(&mut reader)?;
        reader.end()
    }
}

/// What must not change: everything but the bytes of buffers.
fn counted(search: &dyn Search) -> Counters {
    Counters { memory_bytes: 0, ..search.counters() }
}

const NODES: u64 = 3_000;

fn end(work: &mut Work<'_>) -> (Progress, Counters) {
    let progress = work.search.advance(Budget { nodes_max: NODES, steps_max: u64::MAX });
    (progress, counted(&*work.search))
}

/// What is done with every search.
trait Check {
    fn check<'c>(&mut self, name: &str, make: &dyn Fn() -> Work<'c>);
}

/// Interrupts a search again and again, and compares its end with that of one that was not.
struct Interrupted {
    random: Xoshiro256PlusPlus,
    count: u64,
}

impl Check for Interrupted {
    fn check<'c>(&mut self, name: &str, make: &dyn Fn() -> Work<'c>) {
        let expected = end(&mut make());
        let longest = expected.1.expansions.max(1);
        let mut work = make();
        for _ in 0..4 {
            let steps_max = self.random.random_range(0..longest);
            let file = match stopped(&mut work, NODES, steps_max) {
                Ok(file) => file,
                Err(progress) => return assert_eq!((progress, counted(&*work.search)), expected, "{name}"),
            };
            let mut again = make();
            again.restore(&file).unwrap_or_else(|failure| panic!("{name}: {failure}"));
            assert_eq!(counted(&*again.search), counted(&*work.search), "{name}");
            assert_eq!(again.search.root_numbers(), work.search.root_numbers(), "{name}");
            assert_eq!(again.written(), Some(file), "{name}: what is written twice is the same");
            work = again;
            self.count += 1;
        }
        assert_eq!(end(&mut work), expected, "{name}");
    }
}

/// Changes what was written.
struct Altered {
    random: Xoshiro256PlusPlus,
    refused: u32,
    taken: u32,
}

impl Check for Altered {
    fn check<'c>(&mut self, name: &str, make: &dyn Fn() -> Work<'c>) {
        let Ok(file) = stopped(&mut make(), 500, 60) else { return };
        for _ in 0..30 {
            match make().restore(&altered(&file, &mut self.random)) {
                Ok(()) => self.taken += 1,
                Err(failure) => {
                    assert!(!failure.to_string().is_empty(), "{name}");
                    self.refused += 1;
                }
            }
        }
    }
}

/// What a search has written after so many steps, or a few more where it cannot be written down at once; unless a limit has
/// stopped it, for it would only try in vain once more.
fn stopped(work: &mut Work<'_>, nodes_max: u64, steps_max: u64) -> Result<Vec<u8>, Progress> {
    let mut progress = work.search.advance(Budget { nodes_max, steps_max });
    while work.search.state().is_none() && progress == Progress::Running {
        progress = work.search.advance(Budget { nodes_max, steps_max: 1 });
    }
    let stopped = matches!(progress, Progress::Done(Verdict::Unknown(_)));
    work.written().filter(|_| !stopped).ok_or(progress)
}

/// A search that shares nothing.
fn alone<'c>(search: impl Search + 'c) -> Work<'c> {
    Work { search: Box::new(search), table: None }
}

fn goal_cursor<G: Notation>(game: &G, at_least: i32) -> GoalCursor<'_, G> {
    let goal = Goal::new(Player::First, Relative(at_least));
    GoalCursor::new(game, game.start(), goal, LeafNumbers::Mobility)
}

/// Every search that keeps checkpoints, in several sizes, on a problem without circles.
fn each_search<G: Notation>(game: &G, at_least: i32, seed: u64, check: &mut dyn Check) {
    for memory in [1 << 20, 2_000] {
        for options in [
            PnOptions::default(),
            PnOptions { delete_solved: Deletion::AtOnce, order: Order::Random(seed), ..PnOptions::default() },
            PnOptions {
                delete_solved: Deletion::WhenFull,
                delete_least_proving: true,
                ..PnOptions::default()
            },
            PnOptions { evaluation: Evaluation::Delayed, ..PnOptions::default() },
        ] {
            let pn = || alone(Pn::new(goal_cursor(game, at_least), options, memory));
            check.check("pn", &pn);
            for second_level in [SecondLevel::Allis, SecondLevel::Breuker { a: 40, b: 10 }] {
                let pn2 = || alone(Pn2::new(goal_cursor(game, at_least), options, second_level, memory * 16));
                check.check("pn2", &pn2);
            }
        }
        let (lower, upper) = Value::range_seen_by(game.values(), Player::First);
        for options in [
            GpnOptions::default(),
            GpnOptions { method: GpnMethod::Focused, mobility: true, prune: true, ..GpnOptions::default() },
            GpnOptions { joined: true, prune: true, ..GpnOptions::default() },
        ] {
            let cursor =
                || ValueCursor::new(game, game.start(), LeafNumbers::Mobility).joining_converted(false);
            let range = Interval { lower, upper };
            let gpn = || alone(Gpn::new(cursor(), range, options, memory * 4));
            check.check("gpn", &gpn);
            let gpn2 = || alone(Gpn2::new(cursor(), range, options, SecondLevel::Allis, memory * 8));
            check.check("gpn2", &gpn2);
        }
    }
}

/// The searches that join places, on problems with circles or without.
fn each_joined_search<G: Notation>(game: &G, at_least: i32, cyclic: bool, check: &mut dyn Check) {
    for memory in [1 << 20, 4_000] {
        for (method, fold_back) in [
            (GraphMethod::Sound, false),
            (GraphMethod::Sound, true),
            (GraphMethod::Dcg, false),
            (GraphMethod::Dag, true),
        ] {
            let joining = if method == GraphMethod::Dag { Joining::Converted } else { Joining::Everything };
            let options = GraphOptions { drop_solved: fold_back, fold_back, ..GraphOptions::new(method) };
            let graph = || {
                let cursor = goal_cursor(game, at_least).joining(joining, false);
                Work { search: Box::new(GraphPn::new(cursor, options, memory)), table: None }
            };
            check.check("graph", &graph);
        }
        for (thresholds, backup) in [
            (Thresholds::Dfpn, Backup::Sum),
            (Thresholds::Dfpn, Backup::Masked),
            (Thresholds::Pds, Backup::Weak),
            (Thresholds::PnStar, Backup::Sum),
        ] {
            let options = DfpnOptions { cyclic, thresholds, backup, ..DfpnOptions::default() };
            let dfpn = || {
                let table = Arc::new(SharedTable::new(memory, cyclic, backup == Backup::Masked));
                let cursor = goal_cursor(game, at_least).joining(Joining::Everything, false);
                let search = Dfpn::new(cursor, options, 1, Arc::clone(&table), false);
                Work { search: Box::new(search), table: Some(table) }
            };
            check.check("dfpn", &dfpn);
        }
    }
}

#[test]
fn interrupted_searches_end_as_others_do() {
    let mut check = Interrupted { random: Xoshiro256PlusPlus::seed_from_u64(5), count: 0 };
    for seed in 0..60 {
        let graph: Graph = match seed % 4 {
            0 => random_tree(seed, 80),
            1 => random_dag(seed, 60),
            2 => random_cyclic(seed, 30),
            _ => random_maze(seed, 60),
        };
        if seed % 4 < 2 {
            each_search(&graph, 1, seed, &mut check);
        }
        each_joined_search(&graph, 1, seed % 4 >= 2, &mut check);
    }
    let game = ConnectFour::<u64>::new(4, 4, 4).expect("a board");
    each_search(&game, 1, 1, &mut check);
    each_joined_search(&game, 1, false, &mut check);
    println!("{} interruptions", check.count);
    assert!(check.count > 5_000, "{}", check.count);
}

/// Checksums are right and the content is not: whoever reads it says so, or takes something that a search can go on with as far as
/// links, paths and sizes are concerned; nobody breaks.
#[test]
fn altered_states_are_refused_or_harmless() {
    let game = ConnectFour::<u64>::new(4, 4, 4).expect("a board");
    let mut check = Altered { random: Xoshiro256PlusPlus::seed_from_u64(6), refused: 0, taken: 0 };
    each_search(&game, 1, 1, &mut check);
    each_joined_search(&game, 1, false, &mut check);
    let Altered { refused, taken, .. } = check;
    println!("{refused} refused, {taken} taken");
    assert!(refused > 1_000, "{refused} refused, {taken} taken");
}

/// Changes words of the content, or its length, and seals it again.
fn altered(file: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    // A small file has one frame: 16 bytes of head, 12 of the frame's head, and 12 of the last one.
    let mut content = file[28..file.len() - 12].to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..content.len());
        match random.random_range(0..5) {
            0 => content[at] ^= 1 << random.random_range(0..8),
            1 => content[at] = random.random(),
            2 => content.truncate(at.max(1)),
            3 => content.insert(at, random.random()),
            _ => {
                let at = at / 4 * 4;
                let end = (at + 4).min(content.len());
                let word = [0u32, 1, u32::MAX, u32::MAX - 1, 1 << 31, random.random_range(0..200)];
                let word = word[random.random_range(0..word.len())].to_ne_bytes();
                content[at..end].copy_from_slice(&word[..end - at]);
            }
        }
    }
    let mut sealed = Vec::new();
    let mut writer = Writer::new(&mut sealed).expect("memory can be written");
    content.iter().for_each(|byte| writer.item(*byte).expect("memory can be written"));
    writer.end().expect("memory can be written");
    sealed
}
