//! What a search on a table still knows when it has ended: moves, lines of play and certificates come from it.

use quod_model::{Goal, Notation, Verdict};
use quod_proof::{Again, NodeId, SolutionTree};
use quod_search::{Interval, Solved};

use crate::drive::Driver;
use crate::line::real_move;
use crate::lines::Lines;

/// A table with the search that fills it.
pub(crate) trait Table<G: Notation> {
    fn game(&self) -> &G;

    /// Whether its moves are those of canonical positions.
    fn is_symmetric(&self) -> bool;

    /// The bytes that the table takes.
    fn bytes(&self) -> u64;

    /// Whether another question would take the table away.
    fn knows_one_question(&self) -> bool;

    /// The moves with the answers to a question behind them, as far as they are known, and how long those take to show. If an answer is `wanted` that one
    /// of the moves of a stage has, those of later stages are left out.
    fn known(
        &self,
        position: &G::Position,
        goal: Goal,
        wanted: Option<bool>,
    ) -> Vec<(u32, Option<(bool, u16)>)>;

    /// Searches for an answer once more; if the side to move has it, its move comes too.
    fn search_again(
        &self,
        position: &G::Position,
        goal: Goal,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<u32>);

    /// A move of the side that has what it claims here: one that the table knows, or one that a search finds again.
    fn winning_move(
        &self,
        position: &G::Position,
        goal: Goal,
        holds: bool,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> Again {
        if let Some(code) = self.known_move(position, goal, holds) {
            return Again::Move(code);
        }
        match self.search_again(position, goal, held, driver) {
            (Verdict::Unknown(_), _) => Again::Stopped,
            (verdict, Some(code)) if (verdict == Verdict::Proven) == holds => Again::Move(code),
            _ => Again::Apart,
        }
    }

    /// A move that keeps an answer, for a line of play: one that the table knows, or one that is easily found.
    fn found_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        self.known_move(position, goal, holds)
    }

    /// A move that is known to keep an answer.
    fn known_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        self.quickest_move(position, goal, holds)
    }

    /// Lines of threats that the answer to a question may stand on, if it is a win and the search looked for them.
    fn threats(&self, _: Goal, _: bool) -> Option<Lines<G>> {
        None
    }

    /// The move that keeps an answer with the least to show.
    fn quickest_move(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        let known = self.known(position, goal, Some(holds)).into_iter();
        let keeping = known.filter(|(_, answer)| answer.is_some_and(|(answer, _)| answer == holds));
        keeping.min_by_key(|(_, answer)| answer.map(|(_, rank)| rank)).map(|(code, _)| code)
    }

    /// The longest of them.
    fn longest(&self, position: &G::Position, goal: Goal, holds: bool) -> Option<u32> {
        let known = self.known(position, goal, None);
        let longest = known.iter().filter(|(_, answer)| answer.is_some_and(|(answer, _)| answer == holds));
        longest.max_by_key(|(_, answer)| answer.map(|(_, rank)| rank)).map(|(code, _)| *code)
    }

    /// A line of play in which the sides keep to what is proven, as far as the table still knows it. Where one of them has
    /// nothing to keep, it takes what holds longest.
    fn line(&self, root: &G::Position, proven: Interval, range: Interval, first: Option<u32>) -> Vec<String> {
        const LONGEST: usize = 1_000;
        let game = self.game();
        let claimant = game.to_move(root);
        let (below, above) = (Goal::new(claimant, proven.lower), Goal::new(claimant, proven.upper.above()));
        let mut position = root.clone();
        let (mut words, mut met) = (Vec::new(), Vec::new());
        while game.outcome(&position).is_none() && !met.contains(&position) && words.len() < LONGEST {
            let own = game.to_move(&position) == claimant;
            let keeps_lower = proven.lower > range.lower;
            let keeps_upper = proven.upper < range.upper;
            let code = match (own, keeps_lower, keeps_upper) {
                _ if words.is_empty() && first.is_some() => first,
                _ if self.knows_one_question() => None,
                (true, true, _) => self.found_move(&position, below, true),
                (false, _, true) => self.found_move(&position, above, false),
                (_, true, _) => self.longest(&position, below, true),
                (_, _, true) => self.longest(&position, above, false),
                _ => None,
            };
            let Some(code) = code else { break };
            let mv = real_move(game, &position, code, self.is_symmetric());
            words.push(game.move_text(&position, mv));
            met.push(position.clone());
            position = game.after(&position, mv);
        }
        words
    }
}

/// The move that shows an answer, where nothing else is kept.
pub(crate) struct FirstMove(pub(crate) u32);

impl SolutionTree for FirstMove {
    fn root(&self) -> NodeId {
        0
    }
    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        (node == 0).then_some((self.0, 1))
    }
    fn child(&self, _: NodeId, _: u32) -> Option<NodeId> {
        None
    }
}

impl Solved for FirstMove {
    fn is_or(&self, _: NodeId) -> bool {
        true
    }
    fn bytes(&self) -> u64 {
        0
    }
    fn longest_line(&self) -> Vec<u32> {
        vec![self.0]
    }
}
