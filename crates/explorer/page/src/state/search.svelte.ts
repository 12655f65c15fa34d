// One search at a time: its wishes, its progress, its end, and the numbers of the children of a place in its tree.

import {
  askTree,
  command,
  type Failure,
  failureOf,
  type JobFailed,
  type Place,
  type Position,
  type SearchEnd,
  type SearchProgress,
  type SearchRequest,
  startSearch,
  type TreeNode,
} from "../api";
import { Job } from "../job";
import { Series } from "../search/series";

export class Search {
  job = $state.raw<Job | null>(null);
  place = $state.raw<Place | null>(null);
  /** Who is to move at the root, by name. */
  asker = $state("");
  starting = $state(false);
  progress = $state.raw<SearchProgress | null>(null);
  end = $state.raw<SearchEnd | null>(null);
  failure = $state.raw<Failure | null>(null);
  reconnecting = $state(false);
  series = new Series();
  private turn = 0;

  get running(): boolean {
    return this.job !== null && !this.end && !this.failure;
  }

  /** How many nodes can be looked into, or null if there is no tree. */
  get tree(): number | null {
    return (this.end ?? this.progress)?.tree ?? null;
  }

  async start(request: SearchRequest, at: Position): Promise<void> {
    const turn = ++this.turn;
    this.job?.discard();
    this.job = null;
    this.progress = this.end = this.failure = null;
    this.series = new Series();
    this.place = { game: request.game, position: request.position, moves: request.moves };
    this.asker = at.names[at.to_move];
    this.starting = true;
    try {
      const id = await startSearch(request);
      const job = new Job(
        id,
        {
          progress: (progress: SearchProgress) => this.advance(progress),
          end: (end: SearchEnd) => (this.end = end),
          failed: (failed: JobFailed) => (this.failure = failureOf(failed.error)),
        },
        (again) => {
          this.reconnecting = again;
          if (!again && !this.failure) this.failure = failureOf("the server has forgotten this search");
        },
      );
      if (turn === this.turn) this.job = job;
      else job.discard();
    } catch (error) {
      if (turn === this.turn) this.failure = failureOf(error);
    } finally {
      if (turn === this.turn) this.starting = false;
    }
  }

  async tell(word: "pause" | "resume" | "stop"): Promise<void> {
    if (!this.job) return;
    try {
      await command(this.job.id, word);
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  /** The moves from the root of the search to a place, or null if it is not below. */
  pathTo(place: Place | null): string | null {
    const root = this.place;
    if (!root || !place || root.game !== place.game || root.position !== place.position) return null;
    const [from, to] = [root.moves ?? "", place.moves ?? ""];
    if (from === to) return "";
    if (from === "") return to;
    return to.startsWith(`${from} `) ? to.slice(from.length + 1) : null;
  }

  /** The children of a place in the tree by their moves; none where the tree has none just now. */
  async childrenAt(path: string): Promise<Map<string, TreeNode>> {
    if (!this.job) return new Map();
    try {
      const { rows } = await askTree(this.job.id, { kind: "search" }, path, 1, 1000);
      return new Map(rows.map((node) => [node.move ?? "", node]));
    } catch {
      // The tree changes all the time: what is gone now may be back in a second.
      return new Map();
    }
  }

  private advance(progress: SearchProgress): void {
    this.reconnecting = false;
    this.series.add(progress);
    this.progress = progress;
  }
}
