// Small boards for the rows in sight: asked for in batches, kept as long as there is room.

import { askBoards, type Board } from "../api";

const KEPT = 500;

export class Thumbnails {
  private readonly boards = new Map<string, Board | null>();
  private readonly game: string;
  private readonly position: string | null;
  private readonly most: number;
  private readonly changed: () => void;

  constructor(game: string, position: string | null, most: number, changed: () => void) {
    this.game = game;
    this.position = position;
    this.most = most;
    this.changed = changed;
  }

  at(line: string): Board | null {
    return this.boards.get(line) ?? null;
  }

  /** Asks for the boards after these lines that are not there yet. A tree can be read without them, so a failure is no news. */
  async want(lines: string[]): Promise<void> {
    const missing = [...new Set(lines)].filter((line) => !this.boards.has(line));
    for (let from = 0; from < missing.length; from += this.most) {
      const batch = missing.slice(from, from + this.most);
      const boards = await askBoards(this.game, this.position, batch).catch(() => null);
      if (!boards) return;
      boards.forEach((board, index) => this.keep(batch[index]!, board));
      this.changed();
    }
  }

  private keep(line: string, board: Board | null): void {
    this.boards.set(line, board);
    if (this.boards.size > KEPT) this.boards.delete(this.boards.keys().next().value!);
  }
}
