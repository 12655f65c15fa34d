// What a move is worth, in a sign for the board and in words.

import type { MoveValue, Rank, TreeNode } from "../api";
import { proofNumber } from "../format";

const SIGNS: Record<Rank, string> = { win: "+", draw: "=", loss: "−", open: "?" };

const ORDER: Record<Rank, number> = { win: 0, open: 1, draw: 2, loss: 3 };

export const rankOf = (value: MoveValue | undefined): Rank => value?.rank ?? "open";

/** Short enough for a field of the board. */
export function sign(value: MoveValue | undefined, node: TreeNode | undefined): string {
  const rank = rankOf(value);
  if (rank === "open") {
    if (node && node.pn !== undefined && node.dn !== undefined) return `${proofNumber(node.pn)}/${proofNumber(node.dn)}`;
    if (value && value.lower === 0) return "≥ 0";
    if (value && value.upper === 0) return "≤ 0";
    return SIGNS.open;
  }
  if (value!.wins_in !== null) return `${SIGNS[rank]} in ${value!.wins_in}`;
  const points = Math.abs(value!.lower);
  return value!.exact && points > 1 ? `${SIGNS[rank]}${points}` : SIGNS[rank];
}

/** All that is known, for lists and for people who listen. */
export function inWords(value: MoveValue | undefined, node: TreeNode | undefined): string {
  const numbers =
    node && node.pn !== undefined && node.dn !== undefined
      ? `pn ${proofNumber(node.pn)}, dn ${proofNumber(node.dn)}`
      : null;
  if (rankOf(value) === "open" && numbers) return value ? `${value.text}; ${numbers}` : numbers;
  if (!value) return "not known yet";
  const length = value.wins_in === null ? "" : ` in ${value.wins_in}`;
  return `${value.text}${length}${value.best ? ", best" : ""}`;
}

/** The move that people want to hear of first, of several with one label. */
export function foremost<T extends { value: MoveValue | undefined }>(moves: T[]): T {
  const weight = ({ value }: T): number => (value?.best ? -1 : ORDER[rankOf(value)]);
  return moves.reduce((best, move) => (weight(move) < weight(best) ? move : best));
}
