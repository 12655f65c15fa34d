//! What goes over the wire: docs/formats/explorer.md.

use quod_solver::{
    Board, Ink, ManKind, MoveValue, NodeState, Numbers, Place, Player, Scene, Shape, TreeRow, Unfolded,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// A position as a request names it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PlaceFields {
    pub(crate) game: String,
    position: Option<String>,
    moves: Option<String>,
}

impl PlaceFields {
    /// Where it is; empty texts say nothing.
    pub(crate) fn place(&self) -> Place {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Place { position: said(&self.position), moves: said(&self.moves) }
    }

    /// The length of its longest text.
    pub(crate) fn longest(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        self.game.len().max(length(&self.position)).max(length(&self.moves))
    }
}

/// Which part of which tree.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TreeFields {
    #[serde(default)]
    pub(crate) kind: TreeKind,
    #[serde(default)]
    pub(crate) part: usize,
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default = "one")]
    pub(crate) depth: u32,
    pub(crate) rows: Option<usize>,
}

fn one() -> u32 {
    1
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TreeKind {
    #[default]
    Search,
    Solution,
    Certificate,
}

/// A job as a request describes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum JobFields {
    Values(PlaceFields),
    Search(SearchFields),
    Proof { of: String },
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SearchFields {
    #[serde(flatten)]
    pub(crate) place: PlaceFields,
    pub(crate) goal: Option<String>,
    pub(crate) algorithm: Option<String>,
    pub(crate) nodes: Option<u64>,
    pub(crate) memory: Option<u64>,
    pub(crate) seconds: Option<f64>,
}

pub(crate) fn player(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

pub(crate) fn scene(scene: &Scene) -> Value {
    let played: Vec<_> =
        scene.played.iter().map(|mv| json!({ "text": mv.text, "by": player(mv.by) })).collect();
    let line: Vec<&str> = scene.played.iter().map(|mv| mv.text.as_str()).collect();
    let moves: Vec<_> = scene
        .moves
        .iter()
        .map(|mv| {
            let spots = mv.pointing.as_ref().map(|pointing| &pointing.spots);
            let label = mv.pointing.as_ref().map(|pointing| pointing.label);
            json!({ "text": mv.text, "spots": spots, "label": label })
        })
        .collect();
    json!({
        "game": scene.game,
        "position": scene.position,
        "played": played,
        "line": line.join(" "),
        "to_move": player(scene.to_move),
        "names": { "first": scene.names.0, "second": scene.names.1 },
        "over": scene.over.as_ref().map(|(text, whose)| json!({ "text": text, "for": player(*whose) })),
        "repeated": scene.repeated,
        "goal": scene.goal,
        "board": board(&scene.board),
        "moves": moves,
    })
}

pub(crate) fn board(board: &Board) -> Value {
    let shapes: Vec<_> = board.shapes.iter().map(shape).collect();
    let spots: Vec<_> = board
        .spots
        .iter()
        .map(|spot| {
            let area = spot.area;
            json!({ "name": spot.name, "x": area.x, "y": area.y, "width": area.width, "height": area.height })
        })
        .collect();
    json!({ "width": board.width, "height": board.height, "shapes": shapes, "spots": spots })
}

fn shape(shape: &Shape) -> Value {
    match shape {
        Shape::Rectangle { area, ink: what } => json!({
            "kind": "rectangle", "x": area.x, "y": area.y, "width": area.width, "height": area.height, "ink": ink(*what),
        }),
        Shape::Circle { x, y, radius, ink: what } => {
            json!({ "kind": "circle", "x": x, "y": y, "radius": radius, "ink": ink(*what) })
        }
        Shape::Line { from, to, ink: what } => {
            json!({ "kind": "line", "x1": from.0, "y1": from.1, "x2": to.0, "y2": to.1, "ink": ink(*what) })
        }
        Shape::Text { x, y, size, text, ink: what } => {
            json!({ "kind": "text", "x": x, "y": y, "size": size, "text": text, "ink": ink(*what) })
        }
        Shape::Man { x, y, kind, owner } => {
            json!({ "kind": "man", "x": x, "y": y, "man": man(*kind), "ink": player(*owner) })
        }
    }
}

fn ink(ink: Ink) -> &'static str {
    match ink {
        Ink::Board => "board",
        Ink::Light => "light",
        Ink::Dark => "dark",
        Ink::Hole => "hole",
        Ink::Line => "line",
        Ink::Label => "label",
        Ink::First => "first",
        Ink::Second => "second",
        Ink::Neutral => "neutral",
    }
}

fn man(kind: ManKind) -> &'static str {
    match kind {
        ManKind::King => "king",
        ManKind::Queen => "queen",
        ManKind::Rook => "rook",
        ManKind::Bishop => "bishop",
        ManKind::Knight => "knight",
        ManKind::Pawn => "pawn",
    }
}

/// Proof and disproof number: nothing for what is infinite.
pub(crate) fn numbers(numbers: Numbers) -> (Option<u32>, Option<u32>) {
    let finite = |number: u32| Some(number).filter(|number| *number <= Numbers::MOST);
    (finite(numbers.pn), finite(numbers.dn))
}

pub(crate) fn move_value(value: &MoveValue) -> Value {
    let rank = match (value.lower, value.upper) {
        (1.., _) => "win",
        (_, ..=-1) => "loss",
        (0, 0) => "draw",
        _ => "open",
    };
    json!({
        "move": value.mv,
        "lower": value.lower,
        "upper": value.upper,
        "text": value.text,
        "exact": value.lower == value.upper,
        "rank": rank,
        "wins_in": value.wins_in,
        "best": value.is_best,
    })
}

pub(crate) fn unfolded(unfolded: &Unfolded, question: Option<String>, nodes: Option<u64>) -> Value {
    let rows: Vec<_> = unfolded.rows.iter().map(row).collect();
    json!({
        "node": row(&unfolded.node),
        "rows": rows,
        "cut": unfolded.cut,
        "question": question,
        "nodes": nodes,
    })
}

fn row(row: &TreeRow) -> Value {
    let mut object = json!({
        "move": row.mv,
        "depth": row.depth,
        "or": row.is_or,
        "bounds": row.bounds,
        "state": match row.state {
            NodeState::Open => "open",
            NodeState::Proven => "proven",
            NodeState::Disproven => "disproven",
            NodeState::End => "end",
            NodeState::Again => "again",
        },
        "children": row.children,
        "cut": row.is_cut,
        "best": row.is_best,
    });
    if let Some((pn, dn)) = row.numbers.map(numbers) {
        object["pn"] = pn.into();
        object["dn"] = dn.into();
    }
    object
}
