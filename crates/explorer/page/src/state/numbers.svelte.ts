// Proof and disproof numbers of the moves on the board, while a search that keeps a tree is under way at or above the position.

import type { TreeNode } from "../api";
import type { Play } from "./play.svelte";
import type { Search } from "./search.svelte";

const PERIOD = 1000;

export class Numbers {
  known = $state.raw<Map<string, TreeNode>>(new Map());

  /** Belongs to a component: it asks as long as that one lives. */
  constructor(search: Search, play: Play) {
    const watched = $derived(search.running && search.tree !== null ? search.pathTo(play.place) : null);
    $effect(() => {
      const path = watched;
      if (path === null) {
        this.known = new Map();
        return;
      }
      let stopped = false;
      const ask = async (): Promise<void> => {
        const found = await search.childrenAt(path);
        if (!stopped) this.known = found;
      };
      void ask();
      const timer = setInterval(ask, PERIOD);
      return () => {
        stopped = true;
        clearInterval(timer);
      };
    });
  }
}
