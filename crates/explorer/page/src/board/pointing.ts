// A move is pointed out by its spots, one after the other.

import type { Move } from "../api";

/** Moves that begin with the spots pointed at so far. */
export function beginning(moves: Move[], picked: number[]): Move[] {
  return moves.filter((move) => move.spots && picked.every((spot, index) => move.spots![index] === spot));
}

/** Spots that can be pointed at next. */
export function nextSpots(moves: Move[], picked: number[]): Set<number> {
  const next = beginning(moves, picked).map((move) => move.spots![picked.length]);
  return new Set(next.filter((spot) => spot !== undefined));
}

/** Moves that are pointed out completely; more than one where texts must tell them apart. */
export function pointedOut(moves: Move[], picked: number[]): Move[] {
  return beginning(moves, picked).filter((move) => move.spots!.length === picked.length);
}
