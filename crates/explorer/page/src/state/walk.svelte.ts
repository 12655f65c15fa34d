// Playing against a proof: the person defends, the proof answers.

import { untrack } from "svelte";
import type { Position } from "../api";
import type { Play } from "./play.svelte";
import type { Proof } from "./proof.svelte";

/** An answer comes after a moment in which the own move is seen. */
const DELAY = 250;

export class Walk {
  private readonly proof: Proof;
  private readonly play: Play;

  /** Belongs to a component: it answers as long as that one lives. */
  constructor(proof: Proof, play: Play) {
    this.proof = proof;
    this.play = play;
    $effect(() => {
      const position = play.shown;
      if (this.active && position) untrack(() => void this.consult(position));
    });
  }

  /** Whether what is on the board is played against the proof. */
  get active(): boolean {
    return this.proof.walking && this.proof.covers(this.play.place);
  }

  /** The proof's move where the side that it speaks for is to move. */
  get hinted(): string | null {
    return this.active && this.proof.here.kind === "answer" ? this.proof.here.move : null;
  }

  /** Begins with a claim, from the certificate's root. Nothing is asked before that is on the board. */
  async begin(part: number): Promise<void> {
    this.proof.walking = false;
    this.proof.choose(part);
    await this.play.go(this.proof.root!, { arrival: "played" });
    this.proof.walking = true;
  }

  answer(move: string): void {
    void this.play.play(move, "proof");
  }

  /** Takes the last move back, in a proof down to the person's last decision. */
  takeBack(): void {
    const { shown } = this.play;
    if (!shown) return;
    void this.play.step(this.active ? (this.proof.lastDecision(shown) ?? 0) : shown.played.length - 1);
  }

  private async consult(position: Position): Promise<void> {
    const { arrival } = this.play;
    const move = await this.proof.consult(position);
    // Who goes back to look at an earlier position wants to stay there.
    if (move === null || arrival === "gone") return;
    setTimeout(() => {
      if (this.active && this.proof.auto && this.play.shown === position) this.answer(move);
    }, DELAY);
  }
}
