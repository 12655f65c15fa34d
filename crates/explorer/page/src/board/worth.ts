// What a move is worth, in a sign for the board and in words.

import type { MoveValue, Rank, TreeNode } from "../api";
import { proofNumber, tiny } from "../format";

const SIGNS: Record<Rank, string> = { win: "+", draw: "=", loss: "−", open: "?" };

const ORDER: Record<Rank, number> = { win: 0, open: 1, draw: 2, loss: 3 };

export const rankOf = (value: MoveValue | undefined): Rank => value?.rank ?? "open";

/** Whether more is at stake than win, draw and loss, so that points say more than lengths. */
export function inPoints(known: Map<string, MoveValue>): boolean {
  return [...known.values()].some(({ lower, upper }) => lower < -1 || upper > 1);
}

/** Short enough for a field of the board. */
export function sign(value: MoveValue | undefined, node: TreeNode | undefined, points: boolean): string {
  const rank = rankOf(value);
  if (rank === "open") {
    if (node && node.pn !== undefined && node.dn !== undefined) return `${tiny(node.pn)}/${tiny(node.dn)}`;
    if (value && value.lower === 0) return "≥ 0";
    if (value && value.upper === 0) return "≤ 0";
    return SIGNS.open;
  }
  if (points && value!.exact && rank !== "draw") return `${SIGNS[rank]}${Math.abs(value!.lower)}`;
  return value!.wins_in === null ? SIGNS[rank] : `${SIGNS[rank]} ≤${value!.wins_in}`;
}

/** All that is known, for lists and for people who listen. */
export function inWords(value: MoveValue | undefined, node: TreeNode | undefined): string {
  const numbers =
    node && node.pn !== undefined && node.dn !== undefined
      ? `pn ${proofNumber(node.pn)}, dn ${proofNumber(node.dn)}`
      : null;
  // Nothing is said of a move while nothing is known.
  const text = value?.text || "not known yet";
  if (rankOf(value) === "open" && numbers) return `${text}; ${numbers}`;
  if (!value) return text;
  const length = value.wins_in === null ? "" : ` in ${value.wins_in} at the latest`;
  return `${text}${length}${value.best ? ", best" : ""}`;
}

/** The move that people want to hear of first, of several with one label. */
export function foremost<T extends { value: MoveValue | undefined }>(moves: T[]): T {
  const weight = ({ value }: T): number => (value?.best ? -1 : ORDER[rankOf(value)]);
  return moves.reduce((best, move) => (weight(move) < weight(best) ? move : best));
}
