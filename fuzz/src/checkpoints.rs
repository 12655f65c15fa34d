//! Checkpoints: files as they are, and states whose checksums are right and whose content anybody may have written.

use std::sync::Arc;

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_games::TicTacToe;
use quod_model::{Game, Goal, GoalCursor, Joining, LeafNumbers, Player, Relative, ValueCursor};
use quod_search::{
    Dfpn, DfpnOptions, Gpn, Gpn2, GpnOptions, GraphMethod, GraphOptions, GraphPn, Interval, Order, Pn, Pn2,
    PnOptions, Restore, Search, SecondLevel, SharedTable, TopTree,
};

use crate::{message, split_number};

/// A search and what it shares with others.
pub(crate) struct Work {
    search: Box<dyn Search>,
    table: Option<Arc<SharedTable>>,
}

const MEMORY: u64 = 64 << 10;
const KINDS: usize = 8;

fn make(kind: usize) -> Work {
    let goal = Goal::new(Player::First, Relative(0));
    let cursor = || GoalCursor::new(&TicTacToe, TicTacToe.start(), goal, LeafNumbers::Mobility);
    let joined = || cursor().joining(Joining::Everything, true);
    let value = || ValueCursor::new(&TicTacToe, TicTacToe.start(), LeafNumbers::One).joining_converted(true);
    let range = Interval { lower: Relative(-1), upper: Relative(1) };
    let pn = PnOptions { order: Order::Random(1), ..PnOptions::default() };
    let graph = GraphOptions { drop_solved: true, fold_back: true, ..GraphOptions::new(GraphMethod::Sound) };
    let gpn = GpnOptions { joined: true, prune: true, ..GpnOptions::default() };
    let alone = |search: Box<dyn Search>| Work { search, table: None };
    match kind {
        0 => alone(Box::new(Pn::new(cursor(), PnOptions::default(), MEMORY))),
        1 => alone(Box::new(Pn::new(cursor(), pn, MEMORY))),
        2 => alone(Box::new(Pn2::new(cursor(), PnOptions::default(), SecondLevel::Allis, MEMORY))),
        3 => alone(Box::new(GraphPn::new(joined(), graph, MEMORY))),
        4 => alone(Box::new(GraphPn::new(joined(), GraphOptions::new(GraphMethod::Dcg), MEMORY))),
        5 => alone(Box::new(Gpn::new(value(), range, gpn, MEMORY))),
        6 => alone(Box::new(Gpn2::new(value(), range, GpnOptions::default(), SecondLevel::Allis, MEMORY))),
        _ => {
            let table = Arc::new(SharedTable::new(1 << 8, true, true));
            let options = DfpnOptions { cyclic: true, ..DfpnOptions::default() };
            let search = Dfpn::new(joined(), options, 1, Arc::clone(&table), false);
            Work { search: Box::new(search), table: Some(table) }
        }
    }
}

impl Work {
    fn restore(&mut self, file: &[u8]) -> Result<(), Failure> {
        let mut reader = Reader::new(file, file.len() as u64)?;
        if let Some(table) = &self.table {
            table.restore(&mut reader)?;
        }
        self.search.restored().expect("it keeps checkpoints").restore(&mut reader)
    }

    fn written(&self) -> Vec<u8> {
        sealed(|to| {
            if let Some(table) = &self.table {
                table.write(to)?;
            }
            self.search.state().expect("nothing is under way").write(to)
        })
    }
}

fn sealed(fill: impl FnOnce(&mut Writer<'_>) -> std::io::Result<()>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file).expect("memory can be written");
    fill(&mut writer).expect("memory can be written");
    writer.end().expect("memory can be written");
    file
}

/// Tries bytes as a file; and what follows the first of them as what a search of some kind has written.
pub(crate) fn check(data: &[u8]) {
    if let Err(failure) = Reader::new(data, data.len() as u64).and_then(Reader::check) {
        message::check(&failure.to_string());
    }
    let Some((kind, content)) = split_number(data, KINDS + 1) else { return };
    let file = sealed(|to| content.iter().try_for_each(|byte| to.item(*byte)));
    if kind == KINDS {
        let mut tree = TopTree::new(MEMORY, true, 1);
        let mut reader = Reader::new(&file[..], file.len() as u64).expect("it was sealed");
        if tree.restore(&mut reader).is_ok() {
            tree.release();
            let _ = tree.take();
        }
        return;
    }
    let mut work = make(kind);
    match work.restore(&file) {
        Err(failure) => message::check(&failure.to_string()),
        Ok(()) => {
            // What was taken is taken again, and is the same then.
            let once = work.written();
            let mut again = make(kind);
            again.restore(&once).expect("it was taken before");
            assert_eq!(again.written(), once, "kind {kind}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_search::Budget;

    /// The kept inputs include searches of every kind after some steps, as they are written now.
    #[test]
    fn searches_of_every_kind_are_taken() {
        for kind in 0..KINDS {
            for steps_max in [0, 3, 20] {
                let mut work = make(kind);
                work.search.advance(Budget { nodes_max: 1_000, steps_max });
                while work.search.state().is_none() {
                    work.search.advance(Budget { nodes_max: 1_000, steps_max: 1 });
                }
                let file = work.written();
                assert!(make(kind).restore(&file).is_ok(), "kind {kind}");
                // Without the head of the file, that of its only frame, and the last one.
                let input = [&[kind as u8][..], &file[28..file.len() - 12]].concat();
                let kept = crate::target("checkpoints")
                    .expect("a target")
                    .corpus()
                    .join(format!("{kind}-{steps_max}"));
                assert_eq!(std::fs::read(&kept).ok(), Some(input), "{}", kept.display());
            }
        }
    }
}
