// Keys that hold everywhere on the page, except where something else takes them.

import type { Play } from "./state/play.svelte";

/** Places where letters and arrows have a meaning of their own. */
const TAKEN = "input, select, textarea, dialog, [role=tree], [role=tablist]";

/** On the board arrows lead from place to place; what else is pressed there is meant for the page. */
const isTaken = (target: Element, key: string): boolean =>
  target.closest("[data-spot]") ? key.startsWith("Arrow") : target.closest(TAKEN) !== null;

export function moveKeys(play: Play, takeBack: () => void, help: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as Element;
    const typing = target.matches("input:not([type=checkbox]), textarea, dialog *");
    if (event.key === "?" && !typing) help();
    else if (isTaken(target, event.key)) return;
    else if (event.key === "u" || event.key === "Backspace") takeBack();
    else if (event.key === "ArrowLeft") void play.step(play.line.length - 1);
    else if (event.key === "ArrowRight") void play.step(play.line.length + 1);
    else if (event.key === "Home") void play.step(0);
    else if (event.key === "End") void play.step(play.line.length + play.after.length);
    else return;
    event.preventDefault();
  };
}
