//! How the moves of a node are looked at: what tells alpha-beta, PVS and SCOUT apart.

use super::frame::{Frame, Look, Window};

/// How the moves of a node are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Alpha-beta: each with what is left of the window (de Bruin, Pijls and Plaat, figure 3).
    AlphaBeta,
    /// PVS: the first with the window, the others with a null window, and once more if they are better (section 5).
    Principal,
    /// Pearl's SCOUT: the first without a window (EVAL), the others by a question (TEST), and without a window if they are better.
    Scout,
    /// Plain minimax: all of them.
    Everything,
}

impl Rule {
    /// How the next move is looked at; a second look is decided when the first one has failed.
    pub(super) fn look(self, frame: &Frame) -> Look {
        let scouts = match self {
            Self::Principal => true,
            // A question is asked of all moves alike.
            Self::Scout => !frame.tests,
            Self::AlphaBeta | Self::Everything => false,
        };
        if scouts && frame.next > 0 && frame.look == Look::Whole { Look::Scout } else { frame.look }
    }

    /// The window for the next move, with what is left of the node's own and with that of the whole call.
    pub(super) fn window(self, frame: &Frame, rest: Window, is_max: bool, call: Window) -> Window {
        match (self, frame.look) {
            (Self::Everything, _) => Window::OPEN,
            (_, Look::Scout) => rest.scout(is_max),
            (Self::Scout, _) if !frame.tests => call,
            (_, Look::Again(value)) if is_max => Window { alpha: rest.alpha.max(value), ..rest },
            (_, Look::Again(value)) => Window { beta: rest.beta.min(value), ..rest },
            (_, Look::Whole) => rest,
        }
    }
}
