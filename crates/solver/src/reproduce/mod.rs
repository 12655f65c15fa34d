//! Published tables, published figures beside measured ones.
//!
//! The figures are in `data/`.

mod allis1994;
mod mates;
mod positions;
mod saffidine2011;
mod schijf1993;

use std::cell::OnceCell;
use std::path::Path;

use serde::Serialize;

use allis1994::{awari, classes, replay};
use mates::{breuker, schijf};
pub use positions::Positions;
use saffidine2011::many_outcomes;
use schijf1993::tictactoe;

use crate::door::{Games, Place};
use crate::drive::Watch;
use crate::report::{Report, Stop};
use crate::request::Request;

/// A figure of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The table's name.
    pub table: &'static str,
    /// The row's name.
    pub row: String,
    /// The column's name.
    pub column: String,
    /// What was published.
    pub published: Option<i64>,
    /// What was measured now; nothing if it was not run or cannot be.
    pub measured: Option<i64>,
}

/// A published table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The name to ask for.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What must be known to compare.
    pub remark: &'static str,
    measure: Measure,
}

type Measure = fn(&Measuring<'_>, &'static str, &mut dyn Watch) -> Vec<Cell>;

/// What is measured, and with what.
pub struct Measuring<'a> {
    /// The games.
    pub games: &'a Games,
    /// The columns to measure: those whose names begin like one of these. If nothing is said, all but those that take long.
    pub columns: &'a [String],
    /// The rows to measure; all if nothing is said.
    pub rows: &'a [String],
    /// A folder with endgame databases. What is not there is built for the occasion.
    pub databases: Option<&'a Path>,
    /// Test positions that are no part of Quod.
    pub positions: Option<&'a Positions>,
    /// Table 1 of Allis et al., which figure 13 is drawn from.
    allis: OnceCell<Vec<Cell>>,
}

impl<'a> Measuring<'a> {
    /// Everything that does not take long.
    #[must_use]
    pub fn new(games: &'a Games) -> Self {
        Self { games, columns: &[], rows: &[], databases: None, positions: None, allis: OnceCell::new() }
    }

    /// Whether a figure is wanted. `slow` are the beginnings of columns that must be asked for.
    fn wants(&self, row: &str, column: &str, slow: &str) -> bool {
        let named = self.columns.iter().any(|name| column.starts_with(name.as_str()));
        let usual = self.columns.is_empty() && !column.starts_with(slow);
        (named || usual) && (self.rows.is_empty() || self.rows.iter().any(|name| name == row))
    }
}

const CONNECT4_REMARK: &str = "pns_ge_draw of 5x3 with mobility is misprinted (131,595), and so is its sum; \
    gpns is measured with Algorithm 1 as it is printed, with which its published figures do not come out; own is \
    mopn, own_dag is mopn-dag";
const WOODPUSH_REMARK: &str = "outcomes from -16 to 16, as in the experiment; gpns is measured with Algorithm 1 as it is \
    printed, with which its published figures do not come out; pns_dichotomic of 11 with mobility comes out as 603,951; \
    own (mopn) and own_dag (mopn-dag) know that outcomes are -2 to 2";
const AWARI_REMARK: &str = "the experiment as it was: 13-stone database, pn-search with DeleteSolvedSubtrees and the quirks of \
    --compat allis1994; pn_max_tree is published as an estimate from 50S on; what was stopped unsolved has no figure; alphabeta and \
    alphabeta_tt take long and are measured with --columns alphabeta (what an entry of the table holds is not said in the paper, so \
    alphabeta_tt comes out near, not exact); own is pn-graph by the rules, with a 17-stone database, beside pn_sum";
const AWARI_LOST: &str = "published only: the score of the game is not printed";
const AWARI_REPLAY: &str = "with a 17-stone database, as the tournament version had; published are rounded figures: 283,000 nodes, \
    and a limit of 150,000 nodes held";
const AWARI_CLASSES: &str = "class n holds the positions that alpha-beta takes from 2^3n up to 2^3(n+1) nodes for; published are the \
    averages over tables 1 to 5, measured those over table 1, positions with both figures; the class is that of the measured \
    alphabeta, or of the published one where that was not measured";
const MATES_REMARK: &str = "the positions are no part of Quod: --data DIR names a folder with EPD files whose ids are k and r with the \
    numbers of Krabbé and Reinfeld; the order of moves of --compat breuker1994, which gives 60 of 81 published figures on trees \
    exactly and 59 on graphs; what was stopped unsolved has no figure; own is what auto takes, within 1,000,000 nodes \
    generated, beside the smaller of the two";
const MATES_SUMS: &str = "sums and averages of schijf1993, of all positions or not at all (--data DIR); the positions of a row are those \
    that both solved, or proof-number search alone; alphabeta was a playing program, ours is alphabeta-tt; solved counts the positions of --data alone";
const TICTACTOE_REMARK: &str = "averages of 1,000 random orders; the thesis took 100, whose \
    standard error is about 1 % of the nodes and of the updates";

/// All tables whose names begin with `prefix`.
pub fn tables(prefix: &str) -> impl Iterator<Item = Table> {
    let all: [(_, _, _, Measure); 18] = [
        ("allis1994-1", "Awari, game 5: nodes", AWARI_REMARK, awari),
        ("allis1994-2", "Awari, game 1: nodes", AWARI_LOST, awari),
        ("allis1994-3", "Awari, game 2: nodes", AWARI_LOST, awari),
        ("allis1994-4", "Awari, game 3: nodes", AWARI_LOST, awari),
        ("allis1994-5", "Awari, game 4: nodes", AWARI_LOST, awari),
        ("allis1994-7.3", "Awari, game 5: that South's 15th move loses, nodes", AWARI_REPLAY, replay),
        (
            "allis1994-figure13",
            "Awari, figure 13: average nodes by what alpha-beta takes",
            AWARI_CLASSES,
            classes,
        ),
        ("breuker1994-3.1", "Chess, mates: proof-number search and alpha-beta", MATES_SUMS, breuker),
        ("saffidine2011-1", "Connect Four: descents, leaf numbers 1", CONNECT4_REMARK, many_outcomes),
        (
            "saffidine2011-2",
            "Connect Four: descents, leaf numbers by mobility",
            CONNECT4_REMARK,
            many_outcomes,
        ),
        ("saffidine2011-3", "Woodpush: descents, leaf numbers 1", WOODPUSH_REMARK, many_outcomes),
        ("saffidine2011-4", "Woodpush: descents, leaf numbers by mobility", WOODPUSH_REMARK, many_outcomes),
        ("schijf1993-4.1", "Tic-tac-toe, first player wins? Nodes", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-4.2", "Tic-tac-toe: updates up to the root", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-4.3", "Tic-tac-toe: updates with early stop", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-5.1", "Chess, mates of Krabbé: nodes", MATES_REMARK, schijf),
        ("schijf1993-A.1", "Tic-tac-toe: nodes, symmetric positions joined", TICTACTOE_REMARK, tictactoe),
        ("schijf1993-B", "Chess, mates of Reinfeld: nodes", MATES_REMARK, schijf),
    ];
    all.into_iter()
        .filter(move |(name, ..)| name.starts_with(prefix))
        .map(|(name, title, remark, measure)| Table { name, title, remark, measure })
}

impl Table {
    /// Whether its figures need positions that are no part of Quod.
    #[must_use]
    pub fn needs_positions(&self) -> bool {
        ["schijf1993-5.1", "schijf1993-B", "breuker1994-3.1"].contains(&self.name)
    }

    /// Measures the table. `watch` may stop it; what was not run is then missing.
    pub fn measure(&self, how: &Measuring<'_>, watch: &mut dyn Watch) -> Vec<Cell> {
        (self.measure)(how, self.name, watch)
    }
}

/// A search without limits; nothing if it was interrupted.
fn search(games: &Games, game: &str, request: Request, watch: &mut dyn Watch) -> Option<Report> {
    let game = games.open(game).expect("the tables name games of their own");
    let solution = game.solve(&Place::default(), &request, watch).expect("the tables' requests are right");
    (solution.report.stop == Stop::Solved).then_some(solution.report)
}
