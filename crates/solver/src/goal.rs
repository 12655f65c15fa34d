//! Goals as people of a game call them.

use quod_model::{InputError, Notation};

use crate::request::Aim;

/// Reads a goal; if nothing is said, the one that is usual for the game.
pub(crate) fn read_goal<G: Notation>(game: &G, text: Option<&str>) -> Result<Aim, InputError> {
    let named = game.usual_goal().map(|(name, least)| (name, Aim::AtLeast(least.0)));
    match (text, named) {
        (None, named) => Ok(named.map_or(Aim::Value, |(_, aim)| aim)),
        (Some(text), Some((name, aim))) if text == name => Ok(aim),
        (Some(text), None) => text.parse(),
        (Some(text), Some((name, _))) => text.parse().map_err(|_| {
            InputError::new("goal", text, "it is not understood")
                .hint(format!("{name}, value, win, draw (at least a draw), or '>=N' such as '>=0'"))
        }),
    }
}

/// What an aim is called in a game.
pub(crate) fn goal_text<G: Notation>(game: &G, aim: Aim) -> String {
    match game.usual_goal() {
        Some((name, least)) if aim == Aim::AtLeast(least.0) => name.to_owned(),
        _ => aim.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    #[test]
    fn goals_have_the_names_of_their_games() {
        let (chess, other) = (games().open("chess").unwrap(), games().open("tictactoe").unwrap());
        let mate = Aim::AtLeast(1);
        assert_eq!((chess.aim(None), other.aim(None)), (Ok(mate), Ok(Aim::Value)));
        assert_eq!((chess.aim(Some("mate")), chess.aim(Some("win"))), (Ok(mate), Ok(mate)));
        assert_eq!((chess.goal_text(mate), other.goal_text(mate)), ("mate".to_owned(), "win".to_owned()));
        assert_eq!(chess.goal_text(Aim::Value), "value");
        assert!(other.aim(Some("mate")).unwrap_err().to_string().contains("value, win, draw"));
        assert!(chess.aim(Some("check")).unwrap_err().to_string().contains("mate, value, win"));
    }
}
