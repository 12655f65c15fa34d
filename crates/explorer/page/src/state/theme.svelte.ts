// Light or dark: as the system has it, unless the person says otherwise.

const KEY = "quod-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

// Storage may be forbidden; then a choice lasts as long as the page.
function stored(): boolean | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === null ? null : value === "dark";
  } catch {
    return null;
  }
}

function store(dark: boolean): void {
  try {
    localStorage.setItem(KEY, dark ? "dark" : "light");
  } catch {
    // See above.
  }
}

export class Theme {
  private chosen = $state<boolean | null>(stored());
  private systemDark = $state(system.matches);

  constructor() {
    system.addEventListener("change", (event) => {
      this.systemDark = event.matches;
      this.apply();
    });
    this.apply();
  }

  get dark(): boolean {
    return this.chosen ?? this.systemDark;
  }

  toggle(): void {
    this.chosen = !this.dark;
    store(this.chosen);
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset["theme"] = this.dark ? "dark" : "light";
  }
}
