//! The work on an opening: where it is needed most, a piece is tried, a choice is looked at, or certificates are made.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

use quod_model::{Notation, Player, ThreatsFns};

use super::folder::Note;
use super::is_opening;
use super::join::join_piece;
use super::tree::{CHOICE, Kind, TRIES, Tree, nodes};
use super::trials::{Trial, Trials, Tried};
use crate::drive::Watch;
use crate::report::OpeningStanding;

/// After so many replies that resist a look, it is made again with longer searches when that seems to be least work.
const RESIST: usize = 16;
/// The same in an opening, where more replies resist the best move.
const RESIST_OPENING: usize = 64;
/// So few answers leave the problem what it was.
const FEW: u64 = 4;
/// Pieces that are tried at once, for each worker, as long as their searches are short.
const AT_ONCE: usize = 4;
/// The stages of the moves that the attacker chooses from in an opening, and in a piece: those that force an answer, and those that promise most.
const OPENINGS: [u8; 2] = [0, 2];
const CHOICES: [u8; 3] = [0, 2, 3];
/// The stages of the replies that seem to resist most, these first.
const HARDEST: [u8; 3] = [2, 1, 3];

/// Where the whole tree begins.
const ROOT: usize = 0;

/// How the work has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Proved,
    /// Of the moves that were tried none wins.
    Refuted,
    Stopped,
}

pub(super) struct Work<'a, 'w, G: Notation> {
    pub(super) trials: Trials<'a, G>,
    fns: ThreatsFns<G>,
    tree: Tree<G::Position>,
    known: HashMap<G::Position, usize>,
    watch: &'w mut dyn Watch,
}

impl<'a, 'w, G: Notation> Work<'a, 'w, G> {
    pub(super) fn new(
        trials: Trials<'a, G>,
        fns: ThreatsFns<G>,
        root: &G::Position,
        watch: &'w mut dyn Watch,
    ) -> Self {
        let mut work = Self { trials, fns, tree: Tree::new(), known: HashMap::new(), watch };
        work.place(root.clone());
        work
    }

    pub(super) fn run(&mut self) -> Ended {
        loop {
            if self.tree.place(ROOT).is_proved() {
                return Ended::Proved;
            }
            if self.tree.is_refuted(ROOT) {
                return Ended::Refuted;
            }
            if self.trials.stopped.is_some() {
                return Ended::Stopped;
            }
            let way = self.tree.most_proving();
            let before = self.trials.nodes();
            self.step(&way);
            self.tree.spend(&way[..way.len() - 1], self.trials.nodes() - before);
        }
    }

    /// How far it has come with the replies to the last move that was made, or to the one that is worked on.
    pub(super) fn standing(&self) -> OpeningStanding {
        let pieces = &self.trials.pieces;
        let root = &self.tree.place(ROOT).position;
        let (after, at) = if self.tree.place(ROOT).is_choice() {
            (None, root)
        } else {
            let proved = self.tree.children(ROOT).iter().copied().find(|at| self.tree.place(*at).is_proved());
            let first = proved.or_else(|| self.tree.most_proving().get(1).copied());
            let at = first.map_or(root, |at| &self.tree.place(at).position);
            let alike = |after: &G::Position| pieces.identity(after) == pieces.identity(at);
            (pieces.after_all(root).into_iter().find(|(_, after)| alike(after)), at)
        };
        let replies = if self.tree.children(ROOT).is_empty() { Vec::new() } else { pieces.after_all(at) };
        let open = replies.iter().filter(|(_, reply)| !self.is_proved(reply));
        OpeningStanding {
            after: after.into_iter().map(|(mv, _)| pieces.game.move_text(root, mv)).collect(),
            replies: replies.len(),
            open: open.map(|(mv, _)| pieces.game.move_text(at, *mv)).collect(),
            certificates: pieces.certificates(),
        }
    }

    /// Does what is to be done on the way to where the least work is left.
    fn step(&mut self, way: &[usize]) {
        // In an opening what is proved is kept at once: what resists may take long.
        let unsecured = |at: &&usize| {
            let place = self.tree.place(**at);
            place.is_choice()
                && !place.is_leaf()
                && !place.is_secured()
                && (self.tree.open_children(**at).next().is_none() || self.is_in_opening(**at))
        };
        if let Some(before) = way.iter().position(|at| unsecured(&at)) {
            let at = way[before];
            if self.is_in_opening(at) {
                return self.secure(at);
            }
            return self.certify(way[before - 1], at);
        }
        let at = way[way.len() - 1];
        let place = self.tree.place(at);
        match place.kind {
            Kind::Choice { .. } => self.look_at_replies(at),
            Kind::Piece if !self.is_to_be_opened(at) => {
                let choice = way.len().checked_sub(2).map(|before| way[before]);
                self.try_again(at, choice);
            }
            Kind::Piece | Kind::Opening { .. } => self.open(at),
        }
    }

    fn is_to_be_opened(&self, at: usize) -> bool {
        let place = self.tree.place(at);
        place.is_leaf() && place.tries >= TRIES
    }

    fn is_in_opening(&self, choice: usize) -> bool {
        matches!(self.tree.place(choice).kind, Kind::Choice { in_opening: true, .. })
    }

    /// The place of a position, and what the folder knows of it.
    fn place(&mut self, position: G::Position) -> usize {
        let pieces = &self.trials.pieces;
        let identity = pieces.identity(&position);
        if let Some(at) = self.known.get(&identity) {
            return *at;
        }
        let game = pieces.game;
        let kind = if game.to_move(&position) == Player::Second {
            Kind::Choice { in_opening: is_opening(game, &position), replies: self.answers(&position) }
        } else if is_opening(game, &position) {
            // Nothing can be tried before pieces follow.
            let in_order = pieces
                .after_all(&position)
                .iter()
                .any(|(_, behind)| pieces.after_all(behind).iter().all(|(_, reply)| is_opening(game, reply)));
            Kind::Opening { in_order }
        } else {
            Kind::Piece
        };
        let (tries, proved) = match kind {
            Kind::Piece => (pieces.tries(&position), pieces.has(&position)),
            _ => (0, false),
        };
        let at = self.tree.add(position, kind, tries);
        if proved {
            self.tree.prove(at);
        }
        self.known.insert(identity, at);
        at
    }

    /// How many replies seem to matter: answers, if the attacker threatens something.
    fn answers(&self, position: &G::Position) -> u64 {
        let game = self.trials.pieces.game;
        let (mut line, mut answers) = (Vec::new(), Vec::new());
        if !(self.fns.line)(game, position, Player::First, &mut line, &mut 0) {
            return CHOICE;
        }
        (self.fns.answers)(game, position, Player::First, &line, &mut answers);
        CHOICE.min(answers.len() as u64)
    }

    /// Notes the moves by which pieces and openings have come to be proved.
    fn note_proved(&self, proved: &[usize]) {
        for at in proved {
            let place = self.tree.place(*at);
            let wins = |child: &&usize| self.tree.place(**child).is_proved();
            let child = self.tree.children(*at).iter().find(wins).expect("a move proves it");
            let after = self.tree.place(*child).position.clone();
            self.trials.pieces.note(&place.position, Note::Move, &[after]);
        }
    }

    /// Chooses what the attacker might do. Where a piece resists long searches, replies get longer ones from the beginning; so do pieces with few stones.
    /// After moves with few answers nearly as long ones as the piece has had: those have gone through such moves first.
    fn open(&mut self, at: usize) {
        let place = self.tree.place(at);
        let (position, is_piece, quiet, forcing) = match place.kind {
            Kind::Piece => {
                let tries = place.tries;
                (place.position.clone(), true, tries.saturating_sub(TRIES), tries.saturating_sub(1))
            }
            _ => (place.position.clone(), false, 1, 1),
        };
        let stages: &[u8] = if is_piece { &CHOICES } else { &OPENINGS };
        let pieces = &self.trials.pieces;
        let noted = pieces.noted(&position, Note::Move).filter(|noted| !noted.is_empty());
        let choices = noted.unwrap_or_else(|| {
            let mut moves = Vec::new();
            for stage in stages {
                (self.fns.attacks)(pieces.game, &position, *stage, &mut moves);
            }
            pieces.after(&position, moves).into_iter().map(|(_, after)| after).collect()
        });
        let children: Vec<usize> = choices.into_iter().map(|after| self.place(after)).collect();
        for child in &children {
            let place = self.tree.place(*child);
            let Kind::Choice { replies, .. } = place.kind else { continue };
            let first = if replies <= FEW { forcing } else { quiet };
            if place.is_leaf() && place.tries < first {
                self.tree.tried(*child, first);
            }
        }
        let proved = self.tree.grow(at, children);
        self.note_proved(&proved);
    }

    /// The replies to a choice that are not alike: those that seem to resist most, and the others.
    fn replies(&self, position: &G::Position) -> [Vec<G::Position>; 2] {
        let pieces = &self.trials.pieces;
        let mut moves = Vec::new();
        for stage in HARDEST {
            (self.fns.attacks)(pieces.game, position, stage, &mut moves);
        }
        let hardest = pieces.after(position, moves.clone()).len();
        pieces.game.moves(position, &mut moves);
        let mut replies = pieces.after(position, moves).into_iter().map(|(_, after)| after);
        [replies.by_ref().take(hardest).collect(), replies.collect()]
    }

    /// Tries all replies to a choice, for a longer while each time, until few resist.
    fn look_at_replies(&mut self, at: usize) {
        let position = self.tree.place(at).position.clone();
        let game = self.trials.pieces.game;
        let [hardest, others] = self.replies(&position);
        let mut replies = hardest.iter().chain(&others);
        let leads_to_openings = replies.clone().next().is_some_and(|reply| is_opening(game, reply));
        if replies.any(|reply| game.outcome(reply).is_some()) {
            // The opponent wins, or nobody does.
            let proved = self.tree.refute(at);
            return self.note_proved(&proved);
        }
        let left = match self.trials.pieces.noted(&position, Note::Left) {
            Some(left) => left,
            // An opening is worked on from its easiest replies on.
            None if leads_to_openings => others.into_iter().chain(hardest.into_iter().rev()).collect(),
            None => {
                let replies = [hardest, others].concat();
                let Some(left) = self.resisting(at, &replies) else { return };
                self.trials.pieces.note(&position, Note::Left, &left);
                left
            }
        };
        let children: Vec<usize> = left.into_iter().map(|reply| self.place(reply)).collect();
        let tries = self.tree.place(at).tries + 1;
        for child in &children {
            let place = self.tree.place(*child);
            if place.kind == Kind::Piece && place.tries < tries && !place.is_proved() {
                self.tree.tried(*child, tries);
            }
        }
        let proved = self.tree.grow(at, children);
        self.note_proved(&proved);
    }

    /// The replies that a short search does not prove lost. Nothing if they were not all tried, or one of them wins.
    fn resisting(&mut self, at: usize, replies: &[G::Position]) -> Option<Vec<G::Position>> {
        let place = self.tree.place(at);
        let most = if self.is_in_opening(at) { RESIST_OPENING } else { RESIST };
        let trial = Trial { nodes: nodes(place.tries), keep: false };
        let (mut left, mut tried) = (Vec::new(), 0);
        for some in replies.chunks(AT_ONCE * self.trials.workers) {
            let unknown = some.iter().filter(|reply| !self.is_proved(reply));
            let unknown: Vec<&G::Position> = unknown.collect();
            let found = self.trials.try_all(&unknown, trial, self.watch);
            if found.contains(&Tried::Refuted) {
                let proved = self.tree.refute(at);
                self.note_proved(&proved);
                return None;
            }
            if self.trials.stopped.is_some() {
                return None;
            }
            let resists = unknown.into_iter().zip(found).filter(|(_, found)| *found == Tried::Open);
            left.extend(resists.map(|(reply, _)| reply.clone()));
            tried += some.len();
            if left.len() > most {
                // The hardest are tried first.
                self.tree.estimate(at, left.len() * (replies.len() / tried).isqrt());
                return None;
            }
        }
        Some(left)
    }

    /// Whether a reply is known to lose.
    fn is_proved(&self, reply: &G::Position) -> bool {
        let at = self.known.get(&self.trials.pieces.identity(reply));
        at.map_or_else(|| self.trials.pieces.has(reply), |at| self.tree.place(*at).is_proved())
    }

    /// Tries a piece with more nodes than before, and with it replies to the same choice that were tried as often.
    fn try_again(&mut self, at: usize, choice: Option<usize>) {
        let place = self.tree.place(at);
        let tries = place.tries;
        let alike = |other: &usize| {
            self.tree.place(*other).tries == tries
                && self.tree.is_to_be_tried(*other)
                && !self.is_to_be_opened(*other)
                && *other != at
        };
        let beside = choice.into_iter().flat_map(|choice| self.tree.open_children(choice));
        let mut together = vec![at];
        let at_once = if tries < TRIES { AT_ONCE * self.trials.workers } else { self.trials.workers };
        together.extend(beside.filter(alike).take(at_once - 1));
        let positions: Vec<G::Position> =
            together.iter().map(|at| self.tree.place(*at).position.clone()).collect();
        let trial = Trial { nodes: nodes(tries), keep: true };
        let found = self.trials.try_all(&positions.iter().collect::<Vec<_>>(), trial, self.watch);
        let stopped = self.trials.stopped.is_some();
        for (at, found) in together.into_iter().zip(found) {
            let proved = match found {
                Tried::Proved => self.tree.prove(at),
                Tried::Refuted => self.tree.refute(at),
                Tried::Open if stopped => continue,
                Tried::Open => {
                    self.trials.pieces.note_tries(&self.tree.place(at).position, tries + 1);
                    self.tree.tried(at, tries + 1)
                }
            };
            self.note_proved(&proved);
        }
    }

    /// Makes the certificate of a piece that was opened, when all replies to a choice are proved.
    fn certify(&mut self, piece: usize, choice: usize) {
        let position = &self.tree.place(piece).position;
        let after = &self.tree.place(choice).position;
        let (certificate, why) = join_piece(&self.trials, position, after, self.watch);
        self.trials.stopped = why;
        if why.is_some() {
            return;
        }
        if certificate.is_some_and(|certificate| self.trials.keep(position, &certificate)) {
            let proved = self.tree.prove(piece);
            return self.note_proved(&proved);
        }
        self.secure(choice);
    }

    /// Makes certificates of all replies to a choice that a short search has proved lost.
    fn secure(&mut self, at: usize) {
        let position = self.tree.place(at).position.clone();
        let children = self.tree.children(at).to_vec();
        let mut replies = self.replies(&position).concat();
        let all = replies.len();
        replies.retain(|reply| {
            let known = self.known.get(&self.trials.pieces.identity(reply));
            !known.is_some_and(|known| children.contains(known)) && !self.trials.pieces.has(reply)
        });
        if self.is_in_opening(at) {
            let left = self.tree.open_children(at).count();
            self.trials.all.store(all as u64, Relaxed);
            self.trials.proved.store(all.saturating_sub(left + replies.len()) as u64, Relaxed);
        }
        let some: Vec<&G::Position> = replies.iter().collect();
        // A note may say too much: what is not found soon is a piece like others.
        let most = nodes(self.tree.place(at).tries.max(TRIES) + 1);
        let found = self.trials.try_all(&some, Trial { nodes: most, keep: true }, self.watch);
        if self.trials.stopped.is_some() {
            return;
        }
        let failed = replies.into_iter().zip(found).filter(|(_, found)| *found != Tried::Proved);
        let failed: Vec<G::Position> = failed.map(|(reply, _)| reply).collect();
        let failed: Vec<usize> = failed.into_iter().map(|reply| self.place(reply)).collect();
        self.tree.grow(at, failed);
        let proved = self.tree.secure(at);
        self.note_proved(&proved);
    }
}
