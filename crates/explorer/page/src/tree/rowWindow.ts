// Which rows of a long list are in sight. Browsers cannot scroll through more than some ten million pixels, so longer lists are
// scrolled on a smaller scale.

import { observeElementRect, type VirtualItem, Virtualizer } from "@tanstack/virtual-core";

const TALLEST = 10_000_000;

export interface Visible {
  index: number;
  /** From the top of what is scrolled. */
  top: number;
}

export class RowWindow {
  private readonly element: HTMLElement;
  private readonly rowHeight: number;
  private readonly virtual: Virtualizer<HTMLElement, HTMLElement>;
  private readonly unmount: () => void;
  private count = 0;

  constructor(element: HTMLElement, rowHeight: number, changed: () => void) {
    this.element = element;
    this.rowHeight = rowHeight;
    this.virtual = new Virtualizer<HTMLElement, HTMLElement>({
      count: 0,
      getScrollElement: () => element,
      estimateSize: () => rowHeight,
      overscan: 6,
      observeElementRect,
      observeElementOffset: (_, report) => {
        const listen = (): void => {
          report(this.offset, false);
          // On a smaller scale rows move within the content also where the same ones stay in sight.
          if (this.scale > 1) changed();
        };
        element.addEventListener("scroll", listen, { passive: true });
        listen();
        return () => element.removeEventListener("scroll", listen);
      },
      scrollToFn: (offset) => (element.scrollTop = offset / this.scale),
      onChange: changed,
    });
    this.unmount = this.virtual._didMount();
    this.virtual._willUpdate();
  }

  destroy(): void {
    this.unmount();
  }

  setCount(count: number): void {
    if (count === this.count) return;
    this.count = count;
    this.virtual.setOptions({ ...this.virtual.options, count });
    this.virtual._willUpdate();
  }

  /** How tall the scrolled content is. */
  get height(): number {
    return Math.min(this.count * this.rowHeight, TALLEST);
  }

  visible(): Visible[] {
    const shift = this.element.scrollTop - this.offset;
    return this.virtual.getVirtualItems().map(({ index, start }: VirtualItem) => ({ index, top: start + shift }));
  }

  /** How many rows fit. */
  get pageful(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
  }

  /** Scrolls no further than needed to see a row. */
  reveal(index: number): void {
    const top = index * this.rowHeight;
    const lowest = top + this.rowHeight - this.element.clientHeight;
    if (top < this.offset) this.element.scrollTop = top / this.scale;
    else if (lowest > this.offset) this.element.scrollTop = Math.ceil(lowest / this.scale);
  }

  private get scale(): number {
    const view = this.element.clientHeight;
    const total = this.count * this.rowHeight;
    return total > TALLEST ? (total - view) / (TALLEST - view) : 1;
  }

  private get offset(): number {
    return this.element.scrollTop * this.scale;
  }
}
