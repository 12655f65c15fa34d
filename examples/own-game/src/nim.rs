//! Nim: take any number of stones from one heap; whoever takes the last stone wins.

use quod::{
    Abilities, Description, Family, Game, InputError, Notation, Parameters, Player, Receiver, Repetition,
    Symmetry, Value,
};

/// The rules: the heaps to begin with.
pub struct Nim {
    heaps: Vec<u8>,
}

/// The heaps and whose turn it is: everything that the future depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    heaps: Vec<u8>,
    mover: Player,
}

impl Game for Nim {
    type Position = Position;
    /// The heap times 256 plus the stones taken.
    type Move = u16;

    fn start(&self) -> Position {
        Position { heaps: self.heaps.clone(), mover: Player::First }
    }

    fn to_move(&self, position: &Position) -> Player {
        position.mover
    }

    fn outcome(&self, position: &Position) -> Option<Value> {
        let over = position.heaps.iter().all(|heap| *heap == 0);
        over.then_some(match position.mover {
            Player::First => Value::SECOND_WINS,
            Player::Second => Value::FIRST_WINS,
        })
    }

    fn moves(&self, position: &Position, moves: &mut Vec<u16>) {
        for (heap, stones) in (0u16..).zip(&position.heaps) {
            moves.extend((1..=u16::from(*stones)).map(|taken| heap * 256 + taken));
        }
    }

    fn after(&self, position: &Position, mv: u16) -> Position {
        let mut heaps = position.heaps.clone();
        heaps[usize::from(mv / 256)] -= (mv % 256) as u8;
        Position { heaps, mover: position.mover.other() }
    }

    fn key(&self, position: &Position) -> u128 {
        let mover = u128::from(position.mover == Player::First);
        position.heaps.iter().fold(mover, |key, heap| key << 8 | u128::from(*heap))
    }

    fn values(&self) -> (Value, Value) {
        (Value::SECOND_WINS, Value::FIRST_WINS)
    }

    fn repetition(&self) -> Repetition<Self> {
        Repetition::Impossible
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().symmetry()
    }
}

/// The order of the heaps does not matter.
impl Symmetry for Nim {
    fn canonical(&self, position: &Position) -> Position {
        let mut position = position.clone();
        position.heaps.sort_unstable();
        position
    }
}

impl Notation for Nim {
    fn game_text(&self) -> String {
        format!("nim:{}", written(&self.heaps))
    }

    /// The heaps, and who is to move.
    fn position_text(&self, position: &Position) -> String {
        format!("{} {}", written(&position.heaps), self.player_name(position.mover))
    }

    fn parse_position(&self, text: &str) -> Result<Position, InputError> {
        let wrong = |problem| InputError::new("position", text, problem).hint("such as \"3-4-5 First\"");
        let (heaps, mover) = text.split_once(' ').ok_or_else(|| wrong("who is to move?"))?;
        let heaps = read(heaps).filter(|heaps| heaps.len() == self.heaps.len());
        let heaps = heaps.ok_or_else(|| wrong("the heaps are not understood"))?;
        let mover = match mover {
            "First" => Player::First,
            "Second" => Player::Second,
            _ => return Err(wrong("First or Second moves")),
        };
        Ok(Position { heaps, mover })
    }

    /// `b3`: three stones from the second heap.
    fn move_text(&self, _: &Position, mv: u16) -> String {
        format!("{}{}", char::from(b'a' + (mv / 256) as u8), mv % 256)
    }
}

fn written(heaps: &[u8]) -> String {
    let heaps: Vec<String> = heaps.iter().map(u8::to_string).collect();
    heaps.join("-")
}

fn read(text: &str) -> Option<Vec<u8>> {
    let heaps: Option<Vec<u8>> = text.split('-').map(|heap| heap.parse().ok()).collect();
    heaps.filter(|heaps| heaps.len() <= 15)
}

/// The name under which the command line knows it.
pub struct Named;

impl Family for Named {
    fn description(&self) -> Description {
        Description {
            name: "nim",
            summary: "Nim: take stones from one heap; who takes the last stone wins",
            parameters: "HEAP-HEAP-...  (3-4-5)",
            moves: "heap and stones: b3 takes three from the second heap",
            position: "heaps and player: \"3-4-5 First\"",
            example: "nim:3-4-5 --moves a2",
        }
    }

    fn open<R: Receiver>(
        &self,
        mut parameters: Parameters<'_>,
        receiver: R,
    ) -> Result<R::Output, InputError> {
        let text = parameters.first().unwrap_or("3-4-5");
        let Some(heaps) = read(text) else {
            return Err(parameters.error("the heaps are not understood").hint("up to 15, such as nim:3-4-5"));
        };
        parameters.finish("HEAP-HEAP-...")?;
        Ok(receiver.receive(Nim { heaps }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::testkit::Laws;

    #[test]
    fn keeps_the_laws() {
        let game = Nim { heaps: vec![2, 3, 1] };
        Laws::default().check(&game);
        Laws::check_values(&game);
    }

    /// The known theorem: the mover loses if and only if the heaps cancel out bit by bit.
    #[test]
    fn values_are_those_of_the_theorem() {
        for heaps in [vec![1, 2, 3], vec![2, 2], vec![3, 1], vec![1, 3, 2, 1]] {
            let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
            let game = Nim { heaps };
            let request = quod::Request { certificate: true, ..Default::default() };
            let solution = quod::solve(&game, game.start(), &request).unwrap();
            assert_eq!(solution.report.value, Some(if sum == 0 { -1 } else { 1 }));
            let file = solution.certificate.unwrap().encode();
            quod::check(&game, &file[..]).unwrap();
        }
    }
}
