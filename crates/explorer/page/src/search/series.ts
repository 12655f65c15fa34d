// What a search said over time, in few enough points to be drawn at any moment.

import type { SearchProgress } from "../api";

const MOST = 2000;

export class Series {
  seconds: number[] = [];
  pn: (number | null)[] = [];
  dn: (number | null)[] = [];
  lower: number[] = [];
  upper: number[] = [];
  /** Whether there ever were proof numbers: searches without them say that both are infinite. */
  numbered = false;
  private spacing = 0;

  /** Whether there is a line to draw. */
  get drawable(): boolean {
    const known = this.numbered ? this.pn.filter((pn, index) => pn !== null || this.dn[index] !== null) : this.seconds;
    return known.length > 1;
  }

  add(progress: SearchProgress): void {
    const last = this.seconds.at(-1);
    if (last !== undefined && progress.seconds <= last) return;
    if (last !== undefined && this.seconds.length > 1 && last - this.seconds.at(-2)! < this.spacing) this.drop();
    this.seconds.push(progress.seconds);
    // A logarithmic axis has no zero, and no infinity.
    this.pn.push(progress.pn || null);
    this.dn.push(progress.dn || null);
    this.lower.push(progress.lower);
    this.upper.push(progress.upper);
    this.numbered ||= progress.pn !== null || progress.dn !== null;
    if (this.seconds.length > MOST) this.thin();
  }

  /** The newest point replaces one that came too soon before it. */
  private drop(): void {
    for (const column of [this.seconds, this.pn, this.dn, this.lower, this.upper]) column.pop();
  }

  private thin(): void {
    const every = <T>(column: T[]): T[] => column.filter((_, index) => index % 2 === 0);
    this.seconds = every(this.seconds);
    this.pn = every(this.pn);
    this.dn = every(this.dn);
    this.lower = every(this.lower);
    this.upper = every(this.upper);
    this.spacing = this.seconds.at(-1)! / MOST;
  }
}
