//! Wins by threats: sequences in which the opponent never has a choice that helps.

use crate::{Game, Player};

/// What a search knows of a position in which somebody attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// The attacker is to move, and no line of threats was found.
    Attacking,
    /// The opponent is to move, and has so many answers to a line that the attacker would win by.
    Threatening(u32),
    /// The opponent is to move, and no line was found that the attacker would win by.
    Quiet,
}

/// Winning lines of threats. A line is the attacker's moves alone: whatever the opponent answers, the attacker wins at once, or by the next
/// move of the line, or the game finds another line there. What is said is so, by an argument of the game's own that the laws of the testkit try against every reply; what was not
/// found may be there. What it says is unrolled into ordinary play for a certificate.
///
/// Whoever attacks wants the best value of the game: nothing less is won.
pub trait Threats: Game {
    /// Looks for a line by which `attacker`, taken to be to move, wins a position that is not over, and appends it to
    /// `line`, which is empty. Says whether there is one. Tells `looked` how many positions it made.
    fn threat_line(
        &self,
        position: &Self::Position,
        attacker: Player,
        line: &mut Vec<Self::Move>,
        looked: &mut u64,
    ) -> bool;

    /// Whether a player can still win: if not, that is certain. For positions that are not over.
    fn can_win(&self, position: &Self::Position, player: Player) -> bool;

    /// A move after which the player to move wins with the next one, whatever the opponent does.
    fn double_threat(&self, position: &Self::Position) -> Option<Self::Move>;

    /// The move to be made next, if a line wins in a position in which the attacker is to move: the first one of the line, or one that must be made
    /// before, after which the line goes on, or one that wins at once.
    fn replays(&self, position: &Self::Position, line: &[Self::Move], looked: &mut u64)
    -> Option<Self::Move>;

    /// Appends the answers to a line that `attacker` would win by: after every other move of the opponent, who is to
    /// move, it [replays](Threats::replays). At least every move that stops it is among them.
    fn answers(
        &self,
        position: &Self::Position,
        attacker: Player,
        line: &[Self::Move],
        answers: &mut Vec<Self::Move>,
    );

    /// Appends the moves that an attacker who is to move looks at in a stage, and says whether others are left for later stages: first those that
    /// force an answer, then those that may threaten something, then those that promise most among the others, and so on. Every move has its stage,
    /// unless it cannot win; those of the first two stages have their turn there only if they threaten something.
    fn attacks(&self, position: &Self::Position, stage: u8, moves: &mut Vec<Self::Move>) -> bool;

    /// Whether there is so little on the board that every reply of the opponent is better proved apart.
    fn is_opening(&self, _position: &Self::Position) -> bool {
        false
    }

    /// How much work it seems to win, and to show that there is no win. 4 is an ordinary leaf.
    fn weigh(&self, position: &Self::Position, outlook: Outlook) -> (u32, u32);

    /// The same for the moves behind a stage, as long as they are held back.
    fn weigh_later(&self, position: &Self::Position, stage: u8) -> (u32, u32);
}

/// [`Threats::threat_line`] as a value.
pub type ThreatLineFn<G> =
    fn(&G, &<G as Game>::Position, Player, &mut Vec<<G as Game>::Move>, &mut u64) -> bool;
/// [`Threats::can_win`] as a value.
pub type CanWinFn<G> = fn(&G, &<G as Game>::Position, Player) -> bool;
/// [`Threats::double_threat`] as a value.
pub type DoubleThreatFn<G> = fn(&G, &<G as Game>::Position) -> Option<<G as Game>::Move>;
/// [`Threats::replays`] as a value.
pub type ReplaysFn<G> =
    fn(&G, &<G as Game>::Position, &[<G as Game>::Move], &mut u64) -> Option<<G as Game>::Move>;
/// [`Threats::answers`] as a value.
pub type AnswersFn<G> =
    fn(&G, &<G as Game>::Position, Player, &[<G as Game>::Move], &mut Vec<<G as Game>::Move>);
/// [`Threats::attacks`] as a value.
pub type AttacksFn<G> = fn(&G, &<G as Game>::Position, u8, &mut Vec<<G as Game>::Move>) -> bool;
/// [`Threats::is_opening`] as a value.
pub type IsOpeningFn<G> = fn(&G, &<G as Game>::Position) -> bool;
/// [`Threats::weigh`] as a value.
pub type WeighFn<G> = fn(&G, &<G as Game>::Position, Outlook) -> (u32, u32);
/// [`Threats::weigh_later`] as a value.
pub type WeighLaterFn<G> = fn(&G, &<G as Game>::Position, u8) -> (u32, u32);

/// [`Threats`] as values.
pub struct ThreatsFns<G: Game> {
    /// [`Threats::threat_line`].
    pub line: ThreatLineFn<G>,
    /// [`Threats::can_win`].
    pub can_win: CanWinFn<G>,
    /// [`Threats::double_threat`].
    pub double_threat: DoubleThreatFn<G>,
    /// [`Threats::replays`].
    pub replays: ReplaysFn<G>,
    /// [`Threats::answers`].
    pub answers: AnswersFn<G>,
    /// [`Threats::attacks`].
    pub attacks: AttacksFn<G>,
    /// [`Threats::is_opening`].
    pub is_opening: IsOpeningFn<G>,
    /// [`Threats::weigh`].
    pub weigh: WeighFn<G>,
    /// [`Threats::weigh_later`].
    pub weigh_later: WeighLaterFn<G>,
}

impl<G: Game> Clone for ThreatsFns<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for ThreatsFns<G> {}

impl<G: Threats> ThreatsFns<G> {
    pub(crate) fn new() -> Self {
        Self {
            line: G::threat_line,
            can_win: G::can_win,
            double_threat: G::double_threat,
            replays: G::replays,
            answers: G::answers,
            attacks: G::attacks,
            is_opening: G::is_opening,
            weigh: G::weigh,
            weigh_later: G::weigh_later,
        }
    }
}
