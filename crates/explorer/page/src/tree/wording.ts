// What a row of a tree says, for the page and for exported files.

import type { NodeState, TreeNode } from "../api";
import { proofNumber } from "../format";

export const STATES: Record<NodeState, { sign: string; word: string; title: string }> = {
  open: { sign: "", word: "", title: "not solved" },
  proven: { sign: "✓", word: "proven", title: "proven: the answer is yes" },
  disproven: { sign: "✗", word: "disproven", title: "disproven: the answer is no" },
  end: { sign: "■", word: "end", title: "settled by the rules" },
  again: { sign: "↺", word: "again", title: "a repetition, or a position that stands elsewhere in the tree" },
};

export const kindTitle = (or: boolean): string =>
  or ? "OR: the asking side moves, one good move is enough" : "AND: the other side moves, every move must be answered";

/** Proof and disproof number, or bounds, or nothing. */
export function numbersOf(node: TreeNode): string {
  if (node.pn !== undefined && node.dn !== undefined) return `${proofNumber(node.pn)} / ${proofNumber(node.dn)}`;
  return node.bounds ?? "";
}
