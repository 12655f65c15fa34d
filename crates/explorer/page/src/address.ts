// The page's own address names the place that is shown.

import { fieldsOf, type Place } from "./api";

/** The place that the address names, or null if it names no game. */
export function placeInAddress(): Place | null {
  const fields = new URLSearchParams(location.search);
  const game = fields.get("game");
  return game ? { game, position: fields.get("position"), moves: fields.get("moves") } : null;
}

/** Moves that were taken back and can be played again; they are kept with the entry of the history. */
export function movesAfter(): string[] {
  const after: unknown = (history.state as { after?: unknown } | null)?.after;
  return Array.isArray(after) ? after.map(String) : [];
}

export type Recording = "push" | "replace" | "keep";

export function record(place: Place, after: string[], how: Recording): void {
  if (how === "keep") return;
  const address = `?${fieldsOf(place)}`;
  if (how === "push" && address !== location.search) history.pushState({ after }, "", address);
  else history.replaceState({ after }, "", address);
}
