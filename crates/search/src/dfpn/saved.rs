//! The path of a depth-first search in a checkpoint. What its table holds is written apart, for others may share it.

use std::io::Result as IoResult;

use quod_checkpoint::{Failure, Reader, State, Writer};
use quod_model::Numbers;

use super::frame::{Frame, Slot};
use super::options::Thresholds;
use super::search::{Dfpn, NEVER, NONE};
use crate::saved::{Restore, go_down};
use crate::table::{INFINITE, Key, MOST};

fn write_frame(frame: &Frame, to: &mut Writer<'_>) -> IoResult<()> {
    to.item(frame.key.halves())?;
    to.item(frame.way.halves())?;
    to.item([frame.pn_max, frame.dn_max, frame.expansions])?;
    to.item([frame.begin, frame.chosen, frame.extensions, frame.work, frame.depth])?;
    to.flag(frame.is_or)
}

fn read_frame(from: &mut Reader<'_>) -> Result<Frame, Failure> {
    let (key, way) = (Key::of_halves(from.item()?), Key::of_halves(from.item()?));
    let [pn_max, dn_max, expansions] = from.item()?;
    let [begin, chosen, extensions, work, depth] = from.item()?;
    let is_or = from.flag()?;
    Ok(Frame { key, way, pn_max, dn_max, begin, chosen, is_or, extensions, expansions, work, depth })
}

fn write_slot(slot: &Slot, to: &mut Writer<'_>) -> IoResult<()> {
    to.item(slot.key.halves())?;
    to.item([slot.own, slot.other])?;
    to.item([slot.code, slot.low, slot.work])?;
    to.item([slot.rank, u16::from(slot.flags)])
}

fn read_slot(from: &mut Reader<'_>) -> Result<Slot, Failure> {
    let key = Key::of_halves(from.item()?);
    let [own, other] = from.item()?;
    let [code, low, work] = from.item()?;
    let [rank, flags] = from.item()?;
    let in_range = |number: u64| number <= MOST || number == INFINITE;
    match u8::try_from(flags) {
        Ok(flags) if in_range(own) && in_range(other) => {
            Ok(Slot { key, own, other, code, low, work, rank, flags })
        }
        _ => Err(Failure::damaged("numbers that are none")),
    }
}

impl State for Dfpn<'_> {
    fn write(&self, to: &mut Writer<'_>) -> IoResult<()> {
        to.item(self.frames.len() as u64)?;
        self.frames.iter().try_for_each(|frame| write_frame(frame, to))?;
        to.item(self.slots.len() as u64)?;
        self.slots.iter().try_for_each(|slot| write_slot(slot, to))?;
        to.item(self.extensions)?;
        to.item(self.answer.map_or(0u8, |answer| 1 + u8::from(answer)))?;
        to.item(self.root)?;
        to.item(self.root_move.map_or(u64::MAX, u64::from))?;
        to.item(self.fresh)?;
        to.item([self.nodes, self.expansions, self.updates, self.threat_nodes])
    }
}

impl Restore for Dfpn<'_> {
    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Failure> {
        self.frames.clear();
        for _ in 0..from.item::<u64>()? {
            self.frames.push(read_frame(from)?);
        }
        self.slots.clear();
        for _ in 0..from.item::<u64>()? {
            self.slots.push(read_slot(from)?);
        }
        self.extensions = from.item()?;
        self.answer = match from.item::<u8>()? {
            0 => None,
            answer @ (1 | 2) => Some(answer == 2),
            _ => return Err(Failure::damaged("an answer that is none")),
        };
        self.root = from.item::<Numbers>()?;
        self.root_move = u32::try_from(from.item::<u64>()?).ok();
        self.fresh = from.item()?;
        [self.nodes, self.expansions, self.updates, self.threat_nodes] = from.item()?;
        let Some(codes) = self.codes_of_path() else {
            return Err(Failure::damaged("its path is none"));
        };
        if self.options.cyclic {
            let places = (0..).zip(&self.frames);
            self.on_path = places.map(|(depth, frame)| (frame.key.check(), depth)).collect();
        }
        self.below = 0;
        go_down(&mut *self.cursor, self.options.evaluation, codes.into_iter())
    }
}

impl Dfpn<'_> {
    /// The moves of the path, if the frames fit together and with the slots.
    fn codes_of_path(&self) -> Option<Vec<u32>> {
        let end = self.slots.len();
        let last = self.frames.last()?;
        if self.frames[0].begin != 0 || last.begin as usize > end || last.expansions > self.expansions {
            return None;
        }
        // With other thresholds, the root would be looked at for ever.
        let root = &self.frames[0];
        let endless = match self.options.thresholds {
            Thresholds::Dfpn => root.pn_max != NEVER || root.dn_max != NEVER,
            Thresholds::PnStar => root.dn_max != NEVER,
            Thresholds::Pds => false,
        };
        if endless {
            return None;
        }
        let ends = self.frames.iter().skip(1).map(|next| next.begin as usize).chain([end]);
        for (frame, end) in self.frames.iter().zip(ends) {
            let count = end.checked_sub(frame.begin as usize)?;
            if frame.chosen != NONE && frame.chosen as usize >= count {
                return None;
            }
        }
        let step = |two: &[Frame]| {
            let slot = self.slots.get(two[0].begin as usize + two[0].chosen as usize)?;
            let follows = slot.key == two[1].key && two[0].expansions <= two[1].expansions;
            follows.then_some(slot.code)
        };
        self.frames.windows(2).map(step).collect()
    }
}
