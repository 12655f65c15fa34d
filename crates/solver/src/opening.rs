//! Openings, proved piece by piece.
//!
//! Where there is hardly anything on the board, one search would have to hold hundreds of replies to every move at once. Instead the attacker's first moves are chosen, every
//! reply to them is a piece of its own, and a folder gets a checked certificate for each piece that is proved. So the work can be stopped at any moment, and goes on with what the
//! folder lacks; pieces that resist are tried again with more nodes, and then opened themselves: a move of the attacker is chosen, and every reply to it is a piece. At the end the certificates are joined into one: it is played out once more, with the moves of the pieces.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use quod_checkpoint::Folder;
use quod_model::{Goal, InputError, Notation, Player, Relative, ThreatsFns, Value};
use quod_proof::{
    Certificate, CertificateFile, Chooser, Claim, Demonstration, Part, Relation, Reply, check,
    check_demonstrating,
};

use crate::drive::{Phase, Snapshot, Watch};
use crate::goal::goal_text;
use crate::keep::{Keeping, wrong};
use crate::report::{Report, Solution, Stop};
use crate::request::{Aim, Algorithm, Request, Switches};
use crate::solve::solve;
use crate::team::locked;

/// The nodes of a search for a piece at first, and how many times as many it gets when it is tried again.
const NODES: u64 = if cfg!(test) { 2 } else { 20_000 };
const MORE: u64 = 8;
/// How often a piece is tried before it is opened.
const TRIES: u32 = if cfg!(test) { 1 } else { 3 };
/// Replies that a choice of the attacker is tried against, and with how many nodes.
const SAMPLE: usize = 12;
const SAMPLE_NODES: u64 = 1_500;
/// The file that says what the pieces of a folder are about.
const QUESTION: &str = "question";
/// The stage of the moves that the attacker chooses from: those that promise most.
const PROMISING: u8 = 2;
/// How often somebody who looks on is asked whether to go on.
const TICK: Duration = Duration::from_millis(50);

/// Whether a position is an opening of this game, for proofs of a win of First.
pub(crate) fn is_opening<G: Notation>(game: &G, position: &G::Position) -> bool {
    game.abilities().threats.is_some_and(|fns| (fns.is_opening)(game, position))
}

/// The words with which the opening was asked about whose pieces a folder holds, if it does.
pub(crate) fn label_of(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join(QUESTION)).ok()?.lines().nth(2).map(str::to_owned)
}

/// The work on one opening.
struct Opening<'a, G: Notation> {
    game: &'a G,
    fns: ThreatsFns<G>,
    folder: &'a Path,
    /// For every piece.
    request: Request,
    workers: usize,
    begun: Instant,
    until: Option<Instant>,
    nodes: AtomicU64,
    proved: AtomicU64,
    pieces: AtomicU64,
    stopped: Option<Stop>,
}

/// How the work on a part of the opening has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Proved,
    /// A piece is no win.
    Refuted,
    /// Some pieces need more.
    Open,
    Stopped,
}

/// What became of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    Proved,
    Refuted,
    Open,
}

/// Proves that First wins an opening, or goes on with that. What is found is in the folder. Nothing if that cannot be shown in this way, because replies to all
/// first moves that were tried do not lose.
///
/// # Errors
/// If the folder cannot be used.
pub(crate) fn prove<G: Notation>(
    game: &G,
    root: &G::Position,
    request: &Request,
    keeping: &Keeping,
    watch: &mut dyn Watch,
) -> Result<Option<Solution>, InputError> {
    let fns = game.abilities().threats.expect("an opening has threats");
    let unusable =
        |problem: String| InputError::new("checkpoint folder", keeping.folder.display().to_string(), problem);
    // Nobody else works in it.
    let _folder = Folder::open(&keeping.folder).map_err(|failure| wrong(&keeping.folder, &failure))?;
    let question = keeping.folder.join(QUESTION);
    let text = format!("{}\n{}\n{}\n", game.game_text(), game.position_text(root), keeping.label);
    match fs::read_to_string(&question) {
        Ok(found) if found.lines().take(2).eq(text.lines().take(2)) => {}
        Ok(_) => return Err(unusable("it holds the pieces of another opening".to_owned())),
        Err(_) => fs::write(&question, text).map_err(|error| unusable(error.to_string()))?,
    }
    let workers =
        request.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let memory = request.limits.memory.unwrap_or_else(crate::memory::three_quarters_free);
    let mut piece = Request {
        aim: Aim::AtLeast(1),
        algorithm: Algorithm::Dfpn,
        switches: Switches { threats: true, ..Switches::default() },
        threads: Some(1),
        certificate: true,
        ..Request::default()
    };
    piece.limits.memory = Some((memory / workers as u64).max(64 << 20));
    let begun = Instant::now();
    let mut opening = Opening {
        game,
        fns,
        folder: &keeping.folder,
        request: piece,
        workers,
        begun,
        until: request.limits.time.map(|time| begun + time),
        nodes: AtomicU64::new(0),
        proved: AtomicU64::new(0),
        pieces: AtomicU64::new(0),
        stopped: None,
    };
    let mut ended = Ended::Open;
    for levels in 1.. {
        ended = opening.work(root, levels, watch);
        if ended != Ended::Open {
            break;
        }
    }
    if ended == Ended::Refuted {
        return Ok(None);
    }
    let claimant = game.to_move(root);
    let goal = Goal::new(claimant, Relative(if claimant == Player::First { 1 } else { 0 }));
    let claim = Claim::of(goal, claimant == Player::First);
    let (mut certificate, mut problem) = (None, None);
    if ended == Ended::Proved && request.certificate {
        match opening.join(root, claim, watch) {
            Ok(joined) => certificate = Some(joined),
            Err(refusal) => problem = Some(refusal),
        }
    }
    Ok(Some(opening.report(root, request, ended, certificate, problem)))
}

impl<G: Notation> Opening<'_, G> {
    fn identity(&self, position: &G::Position) -> G::Position {
        let canonical = self.game.abilities().canonical;
        canonical.map_or_else(|| position.clone(), |canonical| canonical(self.game, position))
    }

    /// The file about a position with some ending. Positions that are alike have one.
    fn beside(&self, position: &G::Position, ending: &str) -> PathBuf {
        self.folder.join(format!("{:032x}.{ending}", self.game.key(&self.identity(position))))
    }

    fn file(&self, position: &G::Position) -> PathBuf {
        self.beside(position, "quod")
    }

    /// The positions after all replies that are not alike, those of the best ones last: they are the hardest.
    fn replies(&self, position: &G::Position) -> Vec<G::Position> {
        let game = self.game;
        let (mut moves, mut met) = (Vec::new(), HashSet::new());
        game.moves(position, &mut moves);
        let mut best = Vec::new();
        for stage in [PROMISING + 1, PROMISING] {
            (self.fns.attacks)(game, position, stage, &mut best);
        }
        let rank = |mv: &G::Move| best.iter().position(|other| other == mv).unwrap_or(0);
        moves.sort_by_key(rank);
        let after = moves.into_iter().map(|mv| game.after(position, mv));
        after.filter(|position| met.insert(self.identity(position))).collect()
    }

    /// Works on a position: proves all replies to a move of the attacker, or to all that were made. Pieces that resist are opened, one in the other up to
    /// so many `levels`.
    fn work(&mut self, position: &G::Position, levels: u32, watch: &mut dyn Watch) -> Ended {
        let game = self.game;
        if game.to_move(position) == Player::Second {
            let replies = self.replies(position);
            return self.work_on(&replies, levels, watch);
        }
        for mv in self.choices(position, watch) {
            if self.stopped.is_some() {
                return Ended::Stopped;
            }
            match self.work(&game.after(position, mv), levels, watch) {
                // What the choice was good for is not true: the next one.
                Ended::Refuted => {}
                other => return other,
            }
        }
        Ended::Refuted
    }

    fn work_on(&mut self, replies: &[G::Position], levels: u32, watch: &mut dyn Watch) -> Ended {
        let game = self.game;
        if replies.iter().any(|position| game.outcome(position).is_some()) {
            return Ended::Refuted;
        }
        let (openings, pieces): (Vec<&G::Position>, Vec<&G::Position>) =
            replies.iter().partition(|position| is_opening(game, position));
        let mut ended = Ended::Proved;
        for opening in openings {
            match self.work(opening, levels, watch) {
                Ended::Proved => {}
                Ended::Open => ended = Ended::Open,
                other => return other,
            }
        }
        // What was opened before resisted.
        let (opened, closed): (Vec<&G::Position>, Vec<&G::Position>) =
            pieces.iter().partition(|position| self.is_opened(position));
        let mut left: Vec<&G::Position> =
            closed.into_iter().filter(|position| !self.is_proved(position)).collect();
        self.pieces.store(pieces.len() as u64, Relaxed);
        self.proved.store((pieces.len() - opened.len() - left.len()) as u64, Relaxed);
        for tries in 0..TRIES {
            let due: Vec<&G::Position> =
                left.iter().copied().filter(|piece| self.tries(piece) == tries).collect();
            match self.try_again(&due, tries, watch) {
                Ended::Proved | Ended::Open => left.retain(|piece| !self.is_proved(piece)),
                other => return other,
            }
        }
        for piece in opened.into_iter().chain(left) {
            let mut worked = if levels == 0 { Ended::Open } else { self.work(piece, levels - 1, watch) };
            if worked == Ended::Refuted {
                // Of the moves that were tried none wins, which says nothing of the others: it is a piece again, which gets more nodes.
                let _ = fs::remove_file(self.note(piece));
                worked = self.try_again(&[piece], self.tries(piece), watch);
            }
            match worked {
                Ended::Proved => {}
                Ended::Open => ended = Ended::Open,
                other => return other,
            }
        }
        ended
    }

    /// Tries pieces that were tried so often before, with more nodes than the last time.
    fn try_again(&mut self, pieces: &[&G::Position], tries: u32, watch: &mut dyn Watch) -> Ended {
        if pieces.is_empty() {
            return Ended::Proved;
        }
        let tried = self.try_all(pieces, NODES.saturating_mul(MORE.saturating_pow(tries)), true, watch);
        if tried.contains(&Tried::Refuted) {
            return Ended::Refuted;
        }
        if self.stopped.is_some() {
            return Ended::Stopped;
        }
        let resist = pieces.iter().zip(&tried).filter(|(_, tried)| **tried == Tried::Open);
        let mut ended = Ended::Proved;
        for (piece, _) in resist {
            // Without the note, whoever goes on tries it once more.
            let _ = fs::write(self.beside(piece, "tries"), (tries + 1).to_string());
            ended = Ended::Open;
        }
        ended
    }

    /// How often a piece was tried in vain.
    fn tries(&self, position: &G::Position) -> u32 {
        let text = fs::read_to_string(self.beside(position, "tries")).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// Where the choices of the attacker are noted, in the words of the position that stands for those that are alike.
    fn note(&self, position: &G::Position) -> PathBuf {
        self.beside(position, "choices")
    }

    /// The choices that are noted for a position, if they are.
    fn noted(&self, position: &G::Position) -> Option<Vec<G::Move>> {
        let game = self.game;
        let text = fs::read_to_string(self.note(position)).ok()?;
        let like = self.identity(position);
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let words = text.split_whitespace().map(|word| {
            let noted = self.identity(&game.after(&like, game.parse_move(&like, word).ok()?));
            moves.iter().copied().find(|mv| self.identity(&game.after(position, *mv)) == noted)
        });
        words.collect()
    }

    /// Whether a piece is taken apart further.
    fn is_opened(&self, position: &G::Position) -> bool {
        !is_opening(self.game, position) && !self.is_proved(position) && self.note(position).exists()
    }

    /// Whether the folder has a certificate of a piece: whole, of this game, of this position or one like it, and of a win. It was checked when it was written, and is
    /// checked again when the pieces are joined.
    fn is_proved(&self, position: &G::Position) -> bool {
        let Ok(bytes) = fs::read(self.file(position)) else { return false };
        let Ok(file) = CertificateFile::open(&bytes) else { return false };
        let win = Claim { relation: Relation::AtLeast, value: Relative(1) };
        let rules = (file.game == self.game.game_text(), file.rules_version == self.game.rules_version());
        let root = || self.game.parse_position(&file.root).map(|root| self.identity(&root));
        rules == (true, true)
            && matches!(file.parts[..], [part] if part.claim == win)
            && root().is_ok_and(|root| root == self.identity(position))
    }

    /// The attacker's moves in an opening, the one that proves most replies at little cost first. What was chosen before stays.
    fn choices(&mut self, position: &G::Position, watch: &mut dyn Watch) -> Vec<G::Move> {
        let game = self.game;
        let mut moves = Vec::new();
        (self.fns.attacks)(game, position, PROMISING, &mut moves);
        let behind: Vec<G::Position> = moves.iter().map(|mv| game.after(position, *mv)).collect();
        let early = |behind: &G::Position| is_opening(game, &self.replies(behind)[0]);
        if behind.first().is_none_or(early) {
            // Nothing can be tried so early.
            return moves;
        }
        // A note whose words are no moves is none.
        if let Some(noted) = self.noted(position).filter(|noted| !noted.is_empty()) {
            return noted;
        }
        let mut scored = Vec::new();
        for (mv, behind) in moves.iter().zip(&behind) {
            let replies = self.replies(behind);
            let step = (replies.len() / SAMPLE).max(1);
            // A single choice needs no trial; its note says that the position was opened.
            let wanted = if moves.len() > 1 { SAMPLE } else { 0 };
            let sample: Vec<&G::Position> = replies.iter().rev().step_by(step).take(wanted).collect();
            let tried = self.try_all(&sample, SAMPLE_NODES, false, watch);
            let proved = tried.iter().filter(|tried| **tried == Tried::Proved).count();
            scored.push((std::cmp::Reverse(proved), replies.len(), *mv));
        }
        // Symmetric positions have half as many replies that are not alike.
        scored.sort_by_key(|(proved, replies, _)| (*proved, *replies));
        let chosen: Vec<G::Move> = scored.into_iter().map(|(_, _, mv)| mv).collect();
        if self.stopped.is_none() {
            let like = self.identity(position);
            let mut legal = Vec::new();
            game.moves(&like, &mut legal);
            let words = chosen.iter().filter_map(|mv| {
                let after = self.identity(&game.after(position, *mv));
                let mv = legal.iter().find(|mv| self.identity(&game.after(&like, **mv)) == after)?;
                Some(game.move_text(&like, *mv))
            });
            // Without the note, whoever goes on chooses again.
            let _ = fs::write(self.note(position), words.collect::<Vec<String>>().join(" "));
        }
        chosen
    }

    /// Tries to prove pieces with so many nodes each, several at once.
    fn try_all(
        &mut self,
        pieces: &[&G::Position],
        nodes: u64,
        keep: bool,
        watch: &mut dyn Watch,
    ) -> Vec<Tried> {
        let tried: Mutex<Vec<Tried>> = Mutex::new(vec![Tried::Open; pieces.len()]);
        let (next, stop, working) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
        let this = &*self;
        let mut why = None;
        std::thread::scope(|scope| {
            for _ in 0..this.workers.min(pieces.len()) {
                working.fetch_add(1, Relaxed);
                scope.spawn(|| {
                    while !stop.load(Relaxed) {
                        let at = next.fetch_add(1, Relaxed);
                        let Some(position) = pieces.get(at) else { break };
                        let found = this.try_piece(position, nodes, keep, &stop);
                        locked(&tried)[at] = found;
                        if keep && found == Tried::Refuted {
                            stop.store(true, Relaxed);
                        }
                    }
                    working.fetch_sub(1, Relaxed);
                });
            }
            while working.load(Relaxed) > 0 {
                std::thread::sleep(TICK);
                if !watch.goes_on(&this.snapshot()) {
                    why = Some(Stop::Interrupted);
                } else if this.until.is_some_and(|until| Instant::now() >= until) {
                    why = Some(Stop::Time);
                }
                stop.fetch_or(why.is_some(), Relaxed);
            }
        });
        self.stopped = self.stopped.or(why);
        tried.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn try_piece(&self, position: &G::Position, nodes: u64, keep: bool, stop: &AtomicBool) -> Tried {
        let mut request = Request { certificate: keep, ..self.request };
        request.limits.nodes = Some(nodes);
        let mut until = Until(stop);
        let solution =
            solve(self.game, position, &request, &mut until).expect("the request is one for threats");
        self.nodes.fetch_add(solution.report.nodes, Relaxed);
        match (solution.report.verdict, solution.certificate) {
            ("proven", _) if !keep => Tried::Proved,
            ("proven", Some(certificate)) => {
                let file = certificate.encode();
                let opened = CertificateFile::open(&file).expect("it was just written");
                check(self.game, &opened, &mut |_| true).expect("a certificate shows its claim");
                match self.store(position, &file) {
                    Ok(()) => {
                        self.proved.fetch_add(1, Relaxed);
                        Tried::Proved
                    }
                    Err(_) => Tried::Open,
                }
            }
            ("disproven", _) => Tried::Refuted,
            _ => Tried::Open,
        }
    }

    /// Writes a file that is there as a whole or not at all.
    fn store(&self, position: &G::Position, bytes: &[u8]) -> std::io::Result<()> {
        let path = self.file(position);
        let part = path.with_extension("part");
        fs::write(&part, bytes)?;
        fs::File::open(&part)?.sync_all()?;
        fs::rename(part, path)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot {
            phase: Phase::Pieces(self.proved.load(Relaxed), self.pieces.load(Relaxed)),
            at_least: 1,
            lower: -1,
            upper: 1,
            nodes: self.nodes.load(Relaxed),
            memory_bytes: 0,
            elapsed: self.begun.elapsed(),
        }
    }

    /// Plays the whole opening out with the moves of its pieces.
    fn join(
        &mut self,
        root: &G::Position,
        claim: Claim,
        watch: &mut dyn Watch,
    ) -> Result<Certificate, String> {
        let mut joining = Joining { opening: self, watch, piece: None, bad: None };
        match (Part::play(joining.opening.game, root, claim, &mut joining), joining.bad) {
            (Ok(part), _) => Ok(Certificate::played(self.game, root, vec![part])),
            (Err(_), Some(file)) => {
                // It is proved again by whoever goes on.
                let removed = fs::remove_file(&file).is_ok();
                let what =
                    if removed { "was removed; go on, and it is proved again" } else { "is to be removed" };
                Err(format!("the piece {} does not show what it claims: it {what}", file.display()))
            }
            (Err(refusal), None) => Err(format!("the pieces were not joined: {refusal}")),
        }
    }

    fn report(
        &self,
        root: &G::Position,
        request: &Request,
        ended: Ended,
        certificate: Option<Certificate>,
        certificate_problem: Option<String>,
    ) -> Solution {
        let (game, claimant) = (self.game, self.game.to_move(root));
        let (low, high) = game.values();
        let bounds = if ended == Ended::Proved { (high, high) } else { (low, high) };
        let (lower, upper) = Value::range_seen_by(bounds, claimant);
        let holds =
            |value| if lower.0 >= value { Some("proven") } else { (upper.0 < value).then_some("disproven") };
        let verdict = match request.aim {
            Aim::Value => (lower == upper).then_some("proven"),
            Aim::AtLeast(value) => holds(value),
        };
        let best = || Some(game.move_text(root, self.proved_choice(root)?));
        let report = Report {
            game: game.game_text(),
            position: game.position_text(root),
            to_move: game.player_name(claimant),
            goal: goal_text(game, request.aim),
            verdict: verdict.unwrap_or("unknown"),
            value: (lower == upper).then_some(lower.0),
            lower: lower.0,
            upper: upper.0,
            best_move: (ended == Ended::Proved && claimant == Player::First).then(best).flatten(),
            line: Vec::new(),
            length: None,
            algorithm: Algorithm::Dfpn.name(),
            why: Some(
                "an opening: every reply to the first moves is proved apart, with a certificate of its own",
            ),
            threat_nodes: 0,
            nodes: self.nodes.load(Relaxed),
            expansions: 0,
            updates: 0,
            peak_nodes: 0,
            peak_edges: 0,
            graph_bytes: 0,
            deepened_nodes: 0,
            resumed_nodes: None,
            checkpoints: None,
            memory_bytes: 0,
            resident_bytes: crate::memory::peak_resident(),
            seconds: self.begun.elapsed().as_secs_f64(),
            stop: if verdict.is_some() { Stop::Solved } else { self.stopped.unwrap_or(Stop::Interrupted) },
            databases: None,
            certificate: None,
        };
        let value_text = match (verdict, request.aim) {
            (None, _) => String::new(),
            (_, Aim::Value) => game.value_text(lower),
            (_, Aim::AtLeast(value)) => game.value_text(Relative(value)),
        };
        let picture = game.draw(root);
        Solution {
            report,
            value_text,
            wins_in: None,
            loses_in: None,
            certificate,
            certificate_problem,
            picture,
        }
    }
}

/// Somebody who stops when others do.
struct Until<'a>(&'a AtomicBool);

impl Watch for Until<'_> {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        !self.0.load(Relaxed)
    }
}

/// Makes the moves of all pieces, one after the other.
struct Joining<'a, 'o, G: Notation> {
    opening: &'a Opening<'o, G>,
    watch: &'a mut dyn Watch,
    /// The piece at hand, and the depth at which it begins.
    piece: Option<(usize, Demonstration<G>)>,
    /// A piece that is no proof.
    bad: Option<PathBuf>,
}

impl<G: Notation> Chooser<G> for Joining<'_, '_, G> {
    fn choose(&mut self, position: &G::Position, depth: usize) -> Option<G::Move> {
        let game = self.opening.game;
        if self.piece.as_ref().is_some_and(|(begins, _)| depth <= *begins) {
            self.piece = None;
        }
        if let Some((_, piece)) = &self.piece {
            return match piece.reply(game, position, None) {
                Reply::Own(mv) => Some(mv),
                _ => None,
            };
        }
        let opening = self.opening;
        if is_opening(game, position) || opening.is_opened(position) {
            return opening.proved_choice(position);
        }
        let path = opening.file(position);
        self.bad = Some(path.clone());
        let bytes = fs::read(path).ok()?;
        let file = CertificateFile::open(&bytes).ok()?;
        let (_, mut pieces) = check_demonstrating(game, &file, None, &mut |_| true).ok()?;
        let piece = pieces.pop()?;
        let Reply::Own(mv) = piece.reply(game, position, None) else { return None };
        self.bad = None;
        self.piece = Some((depth, piece));
        Some(mv)
    }

    fn goes_on(&mut self, positions: u64) -> bool {
        let phase = Phase::Certificate(positions);
        self.watch.goes_on(&Snapshot { phase, ..self.opening.snapshot() })
    }
}

impl<G: Notation> Opening<'_, G> {
    /// A move of the attacker after which all replies are proved.
    fn proved_choice(&self, position: &G::Position) -> Option<G::Move> {
        let choices = self.noted(position).unwrap_or_else(|| {
            let mut moves = Vec::new();
            (self.fns.attacks)(self.game, position, PROMISING, &mut moves);
            moves
        });
        choices.into_iter().find(|mv| self.is_proved_behind(&self.game.after(position, *mv)))
    }

    /// Whether all replies in a position are proved.
    fn is_proved_behind(&self, position: &G::Position) -> bool {
        self.replies(position).iter().all(|reply| {
            let apart = is_opening(self.game, reply) || self.is_opened(reply);
            if apart { self.proved_choice(reply).is_some() } else { self.is_proved(reply) }
        })
    }
}

#[cfg(test)]
mod tests;
