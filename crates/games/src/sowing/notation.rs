//! How games of sowing are written: pits A to F of South and a to f of North, positions row by row, scores of games.

use quod_model::{InputError, Notation, Parameters, Player, Relative};

use super::{Position, Row, STONES_MAX, WIDTH_MAX};

const PLAYERS: [Player; 2] = [Player::First, Player::Second];

/// What people call the players.
pub(crate) fn player_name(player: Player) -> &'static str {
    if player == Player::First { "South" } else { "North" }
}

/// The name of a pit.
pub(crate) fn pit_name(player: Player, pit: u8) -> char {
    char::from(if player == Player::First { b'A' } else { b'a' } + pit)
}

/// A position as one line: South's pits, North's pits, the side to move, what South and North have captured.
pub(crate) fn position_text(width: u8, position: &Position) -> String {
    let row = |player| {
        let row = position.row(player);
        (0..width).map(|pit| row.pit(pit).to_string()).collect::<Vec<_>>().join(" ")
    };
    let [south, north] = PLAYERS.map(row);
    let side = &player_name(position.to_move)[..1];
    let [made_south, made_north] = PLAYERS.map(|player| position.row(player).store());
    format!("{south} / {north} {side} {made_south} {made_north}")
}

fn position_hint(width: u8) -> String {
    let row = vec!["4"; usize::from(width)].join(" ");
    format!(
        "South's {width} pits, North's {width} pits, the side to move, what South and North have captured: {row} / {row} S 0 0"
    )
}

/// Reads a position of `stones_max` stones at the most. The side to move and what was captured may be left out.
pub(crate) fn parse_position(width: u8, stones_max: u8, text: &str) -> Result<Position, InputError> {
    let error = |problem: String| InputError::new("position", text, problem).hint(position_hint(width));
    let words: Vec<&str> = text.split([' ', '\t', '\n', ',', '/']).filter(|word| !word.is_empty()).collect();
    let pits = 2 * usize::from(width);
    if let Some((south, rest)) = text.split_once('/') {
        let numbers = south.split([' ', '\t', '\n', ',']).filter(|word| !word.is_empty()).count();
        if numbers != usize::from(width) || rest.contains('/') {
            return Err(error(format!("there are {numbers} numbers before the /, South has {width} pits")));
        }
    }
    let number = |place: &str, word: &str| {
        word.parse::<u8>().ok().filter(|stones| *stones <= stones_max).ok_or_else(|| {
            error(format!("\"{word}\" is no number of stones (0 to {stones_max})")).at(place.to_owned())
        })
    };
    if words.len() < pits {
        return Err(error(format!("it has {} numbers, the board has {pits} pits", words.len())));
    }
    let mut counts = Vec::new();
    for (at, word) in words[..pits].iter().enumerate() {
        let (player, pit) = (PLAYERS[at / usize::from(width)], (at % usize::from(width)) as u8);
        counts.push(number(&format!("pit {}", pit_name(player, pit)), word)?);
    }
    let to_move = match words.get(pits) {
        None | Some(&("S" | "s" | "South" | "south")) => Player::First,
        Some(&("N" | "n" | "North" | "north")) => Player::Second,
        Some(word) => {
            return Err(error(format!("\"{word}\" is no side to move")).at("after the pits").hint("S or N"));
        }
    };
    let captured = match words.get(pits + 1..).unwrap_or_default() {
        [] => [0, 0],
        [south, north] => [number("captured by South", south)?, number("captured by North", north)?],
        rest => return Err(error(format!("{} words after the side to move, there are two", rest.len()))),
    };
    let all: u32 = counts.iter().chain(&captured).map(|stones| u32::from(*stones)).sum();
    if all > u32::from(stones_max) {
        return Err(error(format!("it has {all} stones, the game has {stones_max}")));
    }
    let (south, north) = counts.split_at(usize::from(width));
    let (south, north) = (Row::new(south, captured[0]), Row::new(north, captured[1]));
    let (mover, other) = if to_move == Player::First { (south, north) } else { (north, south) };
    Ok(Position { mover, other, to_move })
}

/// The board as the players sit at it: North's row from right to left, the stores at the right hands.
pub(crate) fn draw(width: u8, position: &Position) -> String {
    let [south, north] = PLAYERS.map(|player| position.row(player));
    let line = |left: &str, pits: Vec<String>, right: &str| {
        let pits: Vec<String> = pits.iter().map(|pit| format!("{pit:>2}")).collect();
        format!("{left:>2} | {} | {right}", pits.join(" "))
    };
    let names = |player, order: Vec<u8>| order.iter().map(|pit| pit_name(player, *pit).to_string()).collect();
    let stones = |row: Row, order: Vec<u8>| order.iter().map(|pit| row.pit(*pit).to_string()).collect();
    let (right, left): (Vec<u8>, Vec<u8>) = ((0..width).collect(), (0..width).rev().collect());
    let mark = |player| if player == position.to_move { " (to move)" } else { "" };
    let rows = [
        format!("   North{}", mark(Player::Second)),
        line("", names(Player::Second, left.clone()), ""),
        line(&north.store().to_string(), stones(north, left), ""),
        line("", stones(south, right.clone()), &south.store().to_string()),
        line("", names(Player::First, right), ""),
        format!("   South{}", mark(Player::First)),
    ];
    rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")
}

/// A move: the pit, the stones sown, the stones captured.
pub(crate) fn move_text(position: &Position, pit: u8, captured: u8) -> String {
    let text = format!("{}{}", pit_name(position.to_move, pit), position.mover.pit(pit));
    if captured > 0 { format!("{text}x{captured}") } else { text }
}

/// What a difference is called.
pub(crate) fn value_text(value: Relative) -> String {
    if value.0 == 0 { "draw".to_owned() } else { format!("{:+}", value.0) }
}

/// Reads a move. The numbers may be left out; if they are there they must be right.
pub(crate) fn parse_move<G: Notation<Position = Position, Move = u8>>(
    game: &G,
    width: u8,
    position: &Position,
    text: &str,
    captured: &dyn Fn(u8) -> u8,
) -> Result<u8, InputError> {
    let error = |problem: String| InputError::new("move", text, problem);
    if game.outcome(position).is_some() {
        return Err(error("the game is over before this move".to_owned()));
    }
    let written = Written::read(width, position, text)?;
    let (mut moves, pit) = (Vec::new(), written.pit);
    game.moves(position, &mut moves);
    moves.sort_unstable();
    let (name, stones) = (pit_name(position.to_move, pit), position.mover.pit(pit));
    let problem = if stones == 0 {
        format!("pit {name} is empty")
    } else if written.sown.is_some_and(|sown| sown != stones) {
        format!("pit {name} has {stones} stones")
    } else if !moves.contains(&pit) {
        "it leaves the opponent without a stone, and there are moves that do not".to_owned()
    } else {
        let captured = captured(pit);
        let said = written.sown.is_some() || written.captured.is_some();
        if !said || written.captured.unwrap_or(0) == captured {
            return Ok(pit);
        }
        if captured == 0 { "it captures nothing".to_owned() } else { format!("it captures {captured}") }
    };
    let texts: Vec<String> = moves.iter().map(|pit| game.move_text(position, *pit)).collect();
    Err(error(problem).hint(format!("legal moves: {}", texts.join(" "))))
}

/// Takes the first parameter as the board: pits of a row and stones in each.
pub(crate) fn board<G>(
    parameters: &mut Parameters<'_>,
    make: fn(u8, u8) -> Option<G>,
) -> Result<G, InputError> {
    let size = parameters.first().unwrap_or("6x4");
    let sides =
        size.split_once('x').and_then(|(width, stones)| Some((width.parse().ok()?, stones.parse().ok()?)));
    sides.and_then(|(width, stones)| make(width, stones)).ok_or_else(|| {
        parameters
            .error(format!("\"{size}\" is not a possible board"))
            .hint(format!("pits of a row (1 to {WIDTH_MAX}) and stones in each ({STONES_MAX} in all at the most), such as 6x4"))
    })
}

/// A move as people write it.
struct Written {
    pit: u8,
    sown: Option<u8>,
    captured: Option<u8>,
}

impl Written {
    fn read(width: u8, position: &Position, text: &str) -> Result<Self, InputError> {
        let error = |problem: String| InputError::new("move", text, problem);
        let player = position.to_move;
        let (first, last) = (pit_name(player, 0), pit_name(player, width - 1));
        let shape = format!(
            "a pit from {first} to {last}, the stones sown, x and the stones captured: {first}4, {last}14x6"
        );
        let mut rest = text.trim_end_matches('.');
        let letter = rest.chars().next().unwrap_or(' ');
        let Some(pit) = (0..width).find(|pit| pit_name(player, *pit) == letter) else {
            let theirs = (0..width).any(|pit| pit_name(player.other(), pit) == letter);
            let problem = match theirs {
                true => format!("it is {}'s turn", player_name(player)),
                false => "it is no move".to_owned(),
            };
            return Err(error(problem).hint(shape));
        };
        rest = &rest[1..];
        let sown = number(&mut rest);
        let mut captured = None;
        if let Some(after) = rest.strip_prefix(['x', 'X', '×']) {
            rest = after;
            captured = number(&mut rest);
            if captured.is_none() {
                return Err(error("how much it captures is missing".to_owned()).hint(shape));
            }
        }
        if !rest.is_empty() {
            return Err(error(format!("\"{rest}\" is too much")).hint(shape));
        }
        Ok(Self { pit, sown, captured })
    }
}

/// Takes a number from the front, with the spaces around it.
fn number(rest: &mut &str) -> Option<u8> {
    let trimmed = rest.trim_start();
    let end = trimmed.find(|c: char| !c.is_ascii_digit()).unwrap_or(trimmed.len());
    *rest = trimmed[end..].trim_start();
    trimmed[..end].parse().ok()
}

/// Separates the moves of a score such as `1. D4 b5 2. B4 e5 × 2`: numbers of moves and results such as `26-17` are left
/// out, what belongs to one move stays together.
pub(crate) fn split_moves(text: &str) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| !c.is_whitespace() && c != ',' && c != ';') {
        rest = &rest[begin..];
        let end = end_of_word(rest);
        let word = &rest[..end];
        let numbering = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
        if !numbering || (word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty()) {
            moves.push(word);
        }
        rest = &rest[end..];
    }
    moves
}

/// Where the first word ends. A cross and the number behind it belong to the move before; a number of a move ends with its
/// point.
fn end_of_word(text: &str) -> usize {
    let stops = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let word = text.find(stops).unwrap_or(text.len());
    if let Some(point) = text[..word].find('.')
        && text[..point].bytes().all(|byte| byte.is_ascii_digit())
    {
        let points = text[point..word].bytes().take_while(|byte| *byte == b'.').count();
        return point + points;
    }
    let after = text[word..].trim_start();
    let crossed = |text: &str| text.starts_with(['x', '×']);
    let ends_crossed = text[..word].ends_with(['x', '×']);
    let mut end = word;
    if crossed(after) {
        end = text.len() - after.len();
        end += after.chars().next().map_or(0, char::len_utf8);
    } else if !ends_crossed {
        return word;
    }
    let spaces = text[end..].len() - text[end..].trim_start().len();
    let digits = text[end + spaces..].bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 { end + spaces + digits } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_split_into_moves() {
        let split = |text| split_moves(text).join("|");
        assert_eq!(split("1. D4 b5 2. B4 e5 × 2 3. C6 b1"), "D4|b5|B4|e5 × 2|C6|b1");
        assert_eq!(split("1.D4 b5 2.B4 e5x2, 3... b1 26-17"), "D4|b5|B4|e5x2|b1");
        assert_eq!(split("F14 × 6 e2× 2\n56. C1"), "F14 × 6|e2× 2|C1");
        assert_eq!(split("A1 12 what"), "A1|12|what");
        assert_eq!(split("  "), "");
    }
}
