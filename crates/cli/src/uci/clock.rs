//! How much of a player's time a move may take.

use std::time::Duration;

use uci_parser::UciSearchOptions;

/// Moves that are still to come, where nothing is said.
const MOVES_LEFT: u32 = 30;
/// What goes by on the way from and to the interface.
const LAG: Duration = Duration::from_millis(30);
const LEAST: Duration = Duration::from_millis(5);

/// The time for a move, if there is a limit.
pub(super) fn time_for_move(go: &UciSearchOptions, white_to_move: bool) -> Option<Duration> {
    if let Some(time) = go.movetime {
        return Some(time);
    }
    let (left, gained) = if white_to_move { (go.wtime?, go.winc) } else { (go.btime?, go.binc) };
    let moves = go.movestogo.unwrap_or(MOVES_LEFT).clamp(1, MOVES_LEFT);
    let share = left / moves + gained.unwrap_or_default() / 2;
    Some(share.min(left / 2).saturating_sub(LAG).max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_takes_a_share() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let go = UciSearchOptions {
            wtime: seconds(60),
            btime: seconds(3),
            winc: seconds(2),
            ..Default::default()
        };
        assert_eq!(time_for_move(&go, true), Some(Duration::from_millis(2970)));
        assert_eq!(time_for_move(&go, false), Some(Duration::from_millis(70)));
        let last = UciSearchOptions { movestogo: Some(1), ..go.clone() };
        assert_eq!(time_for_move(&last, true), Some(Duration::from_millis(29_970)));
        let fixed = UciSearchOptions { movetime: seconds(1), ..go };
        assert_eq!(time_for_move(&fixed, true), seconds(1));
        assert_eq!(time_for_move(&UciSearchOptions::default(), true), None);
        let gone = UciSearchOptions { wtime: Some(Duration::ZERO), ..Default::default() };
        assert_eq!(time_for_move(&gone, true), Some(LEAST));
    }
}
