// The place that is shown, the moves that led there, and those that were taken back.

import { askPosition, type Failure, failureOf, type Place, type Position } from "../api";
import { movesAfter, placeInAddress, record, type Recording } from "../address";
import type { Waits } from "./waits.svelte";

/** How the shown position came to be shown: by a move on the board, by a move of a proof, or by going there. */
export type Arrival = "played" | "proof" | "gone";

interface Going {
  after?: string[];
  record?: Recording;
  arrival?: Arrival;
}

export class Play {
  shown = $state.raw<Position | null>(null);
  /** The position that the moves start from; null is the start of the game. */
  origin = $state<string | null>(null);
  after = $state.raw<string[]>([]);
  arrival: Arrival = "gone";
  failure = $state.raw<Failure | null>(null);
  /** The place that could not be shown. */
  failed = $state.raw<Place | null>(null);
  private turn = 0;
  private readonly waits: Waits;

  constructor(waits: Waits) {
    this.waits = waits;
  }

  get place(): Place | null {
    const { shown, origin } = this;
    return shown && { game: shown.game, position: origin, moves: shown.line || null };
  }

  get line(): string[] {
    return this.shown?.played.map((move) => move.text) ?? [];
  }

  async go(place: Place, { after = [], record: how = "push", arrival = "gone" }: Going = {}): Promise<void> {
    const turn = ++this.turn;
    try {
      const shown = await this.waits.during("asking the server for the position…", askPosition(place));
      if (turn !== this.turn) return;
      this.arrival = arrival;
      this.origin = place.position || null;
      this.after = after;
      this.shown = shown;
      this.failure = this.failed = null;
      record({ ...place, game: shown.game, moves: shown.line }, after, how);
    } catch (error) {
      if (turn !== this.turn) return;
      this.failure = failureOf(error);
      this.failed = place;
      // What the address names is not there, so nothing else may stand in its place.
      if (how === "keep") this.shown = null;
    }
  }

  /** Shows what the address names, or `start`. */
  async restore(start: Place): Promise<void> {
    const named = placeInAddress();
    if (named) await this.go(named, { after: movesAfter(), record: "keep" });
    else await this.go(start, { record: "replace" });
  }

  /** Plays a move. What came after the shown position stays if it begins with this move. */
  async play(move: string, arrival: "played" | "proof" = "played"): Promise<void> {
    const place = this.place;
    if (!place) return;
    const after = this.after[0] === move ? this.after.slice(1) : [];
    // Going back from a proof's answer should lead to the person's decision, not into the same answer again.
    const how = arrival === "proof" ? "replace" : "push";
    await this.go({ ...place, moves: [...this.line, move].join(" ") }, { after, record: how, arrival });
  }

  /** Shows the position after so many moves of the line and of what comes after. */
  async step(length: number): Promise<void> {
    const place = this.place;
    if (!place) return;
    const all = [...this.line, ...this.after];
    const to = Math.max(0, Math.min(length, all.length));
    if (to === this.line.length) return;
    await this.go({ ...place, moves: all.slice(0, to).join(" ") || null }, { after: all.slice(to) });
  }

  forgive(): void {
    this.failure = this.failed = null;
  }
}
