// A server and a browser for the tests. QUOD is the program, SCREENSHOTS a folder for pictures, CHROMIUM a browser.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const QUOD = process.env.QUOD;
assert.ok(QUOD, "QUOD must name the program");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const PICTURES = process.env.SCREENSHOTS;

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Nothing here takes as long as this. */
export const PATIENCE = 20_000;

export class Bench {
  /** A server with these arguments and a browser. */
  static async open(...words) {
    const bench = new Bench();
    bench.folder = mkdtempSync(join(tmpdir(), "quod-browser-"));
    bench.server = spawn(QUOD, ["explore", ...words, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
    bench.address = await new Promise((tell, fail) => {
      let text = "";
      bench.server.stdout.on("data", (bytes) => {
        text += bytes;
        const found = /http:\S+/.exec(text);
        if (found) tell(found[0]);
      });
      bench.server.on("exit", (status) => fail(new Error(`the server has ended with ${status}`)));
    });
    bench.browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    return bench;
  }

  async close() {
    await this.browser.close();
    this.server.kill("SIGTERM");
    await new Promise((done) => (this.server.exitCode === null ? this.server.once("exit", done) : done()));
    rmSync(this.folder, { recursive: true });
  }

  /** A page of its own, whose errors fail the test. Close it with `shut`. */
  async page({ width = 1280, height = 900, dark = false, context = null } = {}) {
    context ??= await this.browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      acceptDownloads: true,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    page.troubles = [];
    page.on("pageerror", (error) => page.troubles.push(String(error)));
    page.on("console", (message) => {
      // What the server refuses is the business of single tests.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) page.troubles.push(message.text());
    });
    page.on("request", (request) => {
      const own = request.url().startsWith(this.address) || request.url().startsWith("data:") || request.url().startsWith("blob:");
      if (!own) page.troubles.push(`it asked ${request.url()}`);
    });
    return page;
  }

  async shut(page) {
    const { troubles } = page;
    await page.context().close();
    assert.deepEqual(troubles, []);
  }

  at(query) {
    return this.address + query;
  }

  /** The certificate of a game, as a file. */
  certificate(game, name = "proof.quod") {
    const file = join(this.folder, name);
    const solved = spawnSync(QUOD, ["solve", game, "--certificate", file]);
    assert.equal(solved.status, 0, String(solved.stderr));
    return file;
  }

  /** The seconds of processor time that the server has used. */
  serverTime() {
    const words = readFileSync(`/proc/${this.server.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(words[11]) + Number(words[12])) / 100;
  }
}

export const id = (name) => `[data-testid="${name}"]`;

/** The text of an element, once it is as wanted. */
export async function text(page, name, wanted = /./) {
  const element = page.locator(id(name));
  await element.filter({ hasText: wanted }).first().waitFor();
  return element.first().innerText();
}

export async function picture(page, name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}
