//! Random changes of certificates: of what they say, sealed again, so that no checksum stops them.

use quod_model::Citation;

use crate::{Certificate, Layout, Part, Relation};

const CHECKSUM_BYTES: usize = 32;

/// What certificates are altered with.
#[derive(Clone, Debug, Default)]
pub struct Alterations {
    /// Other roots.
    pub roots: Vec<String>,
    /// Other games.
    pub games: Vec<String>,
}

impl Alterations {
    /// Changes something, if there is something to change. `choose` gives a number below its own.
    pub fn apply(&self, certificate: &mut Certificate, choose: &mut dyn FnMut(usize) -> usize) {
        match choose(16) {
            0..=9 if !certificate.parts.is_empty() => {
                let number = choose(certificate.parts.len());
                alter_part(&mut certificate.parts[number], choose);
            }
            10 | 11 => alter_parts(&mut certificate.parts, choose),
            12 => pick(&self.roots, choose, &mut certificate.root),
            13 => pick(&self.games, choose, &mut certificate.game),
            14 => match choose(4) {
                0 => certificate.rules_version = certificate.rules_version.wrapping_add(1),
                1 => certificate.rules_version = certificate.rules_version.wrapping_sub(1),
                2 => {
                    certificate.layout = match certificate.layout {
                        Layout::Positions => Layout::Played,
                        Layout::Played => Layout::Brief,
                        Layout::Brief => Layout::Positions,
                    }
                }
                _ => certificate.joined = !certificate.joined,
            },
            _ => match &mut certificate.cites {
                Some(citation) if choose(2) == 0 => citation.checksum[choose(32)] ^= 1 << choose(8),
                Some(citation) if choose(2) == 0 => citation.slices = citation.slices.wrapping_sub(1),
                Some(_) => certificate.cites = None,
                None => certificate.cites = Some(Citation { slices: 1, checksum: [0; 32] }),
            },
        }
        // What is laid out as it is played cites nothing.
        if certificate.layout != Layout::Positions {
            certificate.cites = None;
        }
    }
}

fn pick(texts: &[String], choose: &mut dyn FnMut(usize) -> usize, text: &mut String) {
    if !texts.is_empty() {
        text.clone_from(&texts[choose(texts.len())]);
    }
}

fn alter_part(part: &mut Part, choose: &mut dyn FnMut(usize) -> usize) {
    // Places of moves are small; others are where numbers change their form.
    const ODD: [u32; 6] = [127, 128, 255, 1 << 14, 1 << 28, u32::MAX];
    let count = part.moves.len();
    let kind = choose(12);
    if count == 0 && kind < 8 {
        return part.moves.push(choose(4) as u32);
    }
    match kind {
        0..=2 => part.moves[choose(count)] = choose(6) as u32,
        3 => part.moves[choose(count)] = ODD[choose(ODD.len())],
        4 => drop(part.moves.remove(choose(count))),
        5 => part.moves.insert(choose(count), choose(4) as u32),
        6 => part.moves.swap(choose(count), choose(count)),
        7 => {
            let (one, other) = (choose(count), choose(count));
            let run = part.moves[one.min(other)..one.max(other)].to_vec();
            match choose(3) {
                0 => part.moves.truncate(one),
                1 => drop(part.moves.drain(one.min(other)..one.max(other))),
                _ => part.moves.extend(run),
            }
        }
        8 => part.positions = part.positions.wrapping_add(1),
        9 => part.positions = part.positions.wrapping_sub(1),
        10 => {
            let change = choose(5) as i32 - 2;
            part.claim.value.0 = part.claim.value.0.saturating_add(change);
        }
        _ => {
            part.claim.relation = match part.claim.relation {
                Relation::AtLeast => Relation::AtMost,
                Relation::AtMost => Relation::AtLeast,
            }
        }
    }
}

fn alter_parts(parts: &mut Vec<Part>, choose: &mut dyn FnMut(usize) -> usize) {
    match (choose(5), &mut parts[..]) {
        (0, [one, other]) => std::mem::swap(one, other),
        (1, [one, other]) => std::mem::swap(&mut one.claim, &mut other.claim),
        (2, [one, other]) => std::mem::swap(&mut one.moves, &mut other.moves),
        (3, [one, ..]) => {
            let again = one.clone();
            parts.push(again);
        }
        (_, [_, ..]) => drop(parts.remove(choose(parts.len()))),
        (_, []) => {}
    }
}

/// The bytes of a file with some of them changed, left out or added, under a right checksum.
#[must_use]
pub fn altered_bytes(file: &[u8], choose: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
    let mut content = file[..file.len().saturating_sub(CHECKSUM_BYTES)].to_vec();
    for _ in 0..=choose(3) {
        let count = content.len();
        match choose(5) {
            _ if count == 0 => content.push(choose(256) as u8),
            0 | 1 => content[choose(count)] ^= 1 << choose(8),
            2 => content[choose(count)] = choose(256) as u8,
            3 => content.truncate(choose(count)),
            _ => content.insert(choose(count), choose(256) as u8),
        }
    }
    sealed(&content)
}

/// The content of a file with its checksum behind it.
#[must_use]
pub fn sealed(content: &[u8]) -> Vec<u8> {
    [content, blake3::hash(content).as_bytes()].concat()
}
