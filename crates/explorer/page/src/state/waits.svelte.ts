// What the page is waiting for, for people who look and for people who listen.

/** What is answered faster than this is not worth a word. */
const PATIENCE = 250;

export class Waits {
  private list = $state.raw<string[]>([]);

  get text(): string {
    return this.list.at(-1) ?? "";
  }

  async during<T>(text: string, work: Promise<T>): Promise<T> {
    let said = false;
    const timer = setTimeout(() => {
      said = true;
      this.list = [...this.list, text];
    }, PATIENCE);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      if (said) {
        const list = [...this.list];
        list.splice(list.indexOf(text), 1);
        this.list = list;
      }
    }
  }
}
