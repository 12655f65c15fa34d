// What people do on the page, in a browser.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Bench, id, picture, text } from "./harness.mjs";

let bench;
before(async () => (bench = await Bench.open("tictactoe")));
after(async () => bench.close());

/** Goes to a game by its name. */
async function choose(page, game) {
  await page.fill(id("game-input"), game);
  await page.click(id("game-go"));
  await page.waitForFunction((game) => new URL(location.href).searchParams.get("game") === game, game);
}

async function start(page, algorithm, fields = {}) {
  await page.selectOption(id("search-algorithm"), algorithm);
  for (const [name, value] of Object.entries(fields)) await page.fill(id(`search-${name}`), value);
  await page.click(id("search-start"));
}

/** The moves of the shown position, with what is written about them. */
const moves = (page) =>
  page.locator('button[data-testid^="move-"]').evaluateAll((all) =>
    all.map((one) => ({ move: one.dataset.testid.slice("move-".length), text: one.innerText.replaceAll("\n", " ") })),
  );

test("tic-tac-toe, Connect Four 4x4 and 5x4 are solved, and every move has its value", async () => {
  const page = await bench.page();
  await page.goto(bench.at(""));
  for (const [game, answer, values] of [
    ["tictactoe", /draw for x/, 9],
    ["connect4:4x4", /draw for x/, 4],
    ["connect4:5x4", /draw for x/, 5],
  ]) {
    await choose(page, game);
    await start(page, "auto");
    assert.match(await text(page, "search-answer", answer), /proven/);
    await page.waitForFunction(
      (count) => [...document.querySelectorAll('button[data-testid^="move-"]')].filter((one) => /[+=−]/.test(one.innerText)).length === count,
      values,
    );
    await picture(page, `solved-${game.replace(":", "-")}-1280`);
  }
  const shown = await moves(page);
  assert.deepEqual(shown.map(({ text }) => /[+=−]/.exec(text)[0]).join(""), "−===−");
  await bench.shut(page);
});

test("a full game is played against a proof, which wins", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=connect4:4x4,row=3"));
  await start(page, "pn-graph");
  await text(page, "search-answer", /win for x/);
  await page.click(id("open-proof"));
  await text(page, "certificate-state", /accepted/i);
  const status = page.locator(id("proof-status"));
  if (!/You are o/.test(await status.innerText())) await page.click(id("proof-walk"));
  for (let ply = 0; ply < 16; ply += 1) {
    await status.filter({ hasText: /You are o|over/ }).waitFor();
    if (/over/.test(await status.innerText())) break;
    const all = await moves(page);
    const before = page.url();
    await page.click(id(`move-${all[ply % all.length].move}`));
    await page.waitForFunction((before) => location.href !== before, before);
  }
  assert.match(await status.innerText(), /over.*The claim was kept/s);
  await picture(page, "proof-over-1280");
  // Another defence.
  await page.click(id("take-back"));
  await status.filter({ hasText: /You are o/ }).waitFor();
  await bench.shut(page);
});

test("a certificate is opened, shown, gone through and checked again; a damaged one is not believed", async () => {
  const file = bench.certificate("connect4:4x4");
  const page = await bench.page();
  await page.goto(bench.at(""));
  await page.click(id("tab-proof"));
  await page.setInputFiles(id("certificate-file"), file);
  await text(page, "certificate-state", /accepted/i);
  assert.match(await page.locator("main").innerText(), /x, to move, gets at least a draw/);
  await picture(page, "certificate-1280");
  await page.click(id("check-again"));
  await text(page, "certificate-state", /accepted/i);
  // The second claim is the other side's.
  await page.click(id("proof-walk"));
  await page.selectOption(id("proof-part"), "1");
  await text(page, "proof-status", /You are x/);
  await page.click(id("move-1"));
  await page.locator(`${id("move-list")} li`).nth(1).waitFor();
  await text(page, "proof-status", /You are x/);
  await page.click(id("tab-tree"));
  await page.selectOption(id("tree-kind"), "certificate-0");
  await page.locator(id("tree-row")).nth(1).waitFor();
  await picture(page, "certificate-tree-1280");

  const damaged = join(bench.folder, "damaged.quod");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(damaged, bytes);
  await page.click(id("tab-proof"));
  await page.setInputFiles(id("certificate-file"), damaged);
  await text(page, "certificate-state", /damaged|checksum/);
  await bench.shut(page);
});

test("a link reproduces a position; back, forward and take-back go through the game", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=connect4:5x4"));
  for (const move of ["3", "3", "2"]) {
    const before = page.url();
    await page.click(id(`spot-column ${move}`));
    await page.waitForFunction((before) => location.href !== before, before);
  }
  const link = page.url();
  assert.equal(new URL(link).searchParams.get("moves"), "3 3 2");
  const played = async () => (await page.locator(`${id("move-list")} li`).allInnerTexts()).length;
  await page.locator(`${id("move-list")} li`).nth(2).waitFor();
  assert.equal(await played(), 3);
  await page.reload();
  await page.locator(`${id("move-list")} li`).nth(2).waitFor();
  assert.equal(await played(), 3);
  const other = await bench.page();
  await other.goto(link);
  await other.locator(`${id("move-list")} li`).nth(2).waitFor();
  await bench.shut(other);
  await page.goBack();
  await page.waitForFunction(() => new URL(location.href).searchParams.get("moves") === "3 3");
  await page.goForward();
  await page.waitForFunction(() => new URL(location.href).searchParams.get("moves") === "3 3 2");
  await page.click(id("take-back"));
  await page.waitForFunction(() => new URL(location.href).searchParams.get("moves") === "3 3");
  await bench.shut(page);
});

test("a running search is watched, rests, goes on and is stopped", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=connect4:7x6"));
  await start(page, "pn2");
  await text(page, "search-state", /searching/i);
  await page.waitForTimeout(1500);
  await picture(page, "search-1280");
  await page.click(id("search-pause"));
  await text(page, "search-state", /paused|resting/i);
  // While it rests its tree stands still.
  await page.click(id("tab-tree"));
  await page.locator(id("tree-row")).nth(3).waitFor();
  await page.click(id("tree-follow"));
  await page.locator(id("tree-row")).nth(20).waitFor();
  await picture(page, "tree-1280");
  await page.click(id("tab-search"));
  await page.click(id("search-pause"));
  await text(page, "search-state", /searching/i);
  const begun = Date.now();
  await page.click(id("search-stop"));
  assert.match(await text(page, "search-answer", /unknown/), /interrupted/);
  assert.ok(Date.now() - begun < 5000);
  await bench.shut(page);
});

test("a malformed address says what is wrong and leads on", async () => {
  const page = await bench.page();
  for (const [query, wanted] of [
    ["?game=connect4:5x4&moves=3%209", /not a legal move|column/],
    ["?game=tictactoe&position=nonsense", /position/],
    ["?game=chequers", /no such game/],
    ["?game=connect4:999x999", /game "connect4:999x999"/],
    [`?game=tictactoe&moves=${"a1%20".repeat(3000)}`, /./],
    ["?game=tictactoe&position=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", /./],
  ]) {
    await page.goto(bench.at(query));
    assert.match(await text(page, "error", wanted), /\w/);
    if (query.includes("chequers")) await picture(page, "bad-address-1280");
  }
  await page.locator(id("error")).getByRole("button").last().click();
  await page.locator(id("board")).waitFor();
  await bench.shut(page);
});

test("two pages at once do not disturb each other, and a closed one stops its search", async () => {
  const one = await bench.page();
  const two = await bench.page({ context: one.context() });
  await one.goto(bench.at("?game=connect4:7x6"));
  await two.goto(bench.at("?game=connect4:6x5"));
  await one.uncheck(id("values-wanted"));
  await two.uncheck(id("values-wanted"));
  await start(one, "pn2");
  await start(two, "pn2");
  await text(one, "search-state", /searching/i);
  await text(two, "search-state", /searching/i);
  // Both still answer, and each its own question.
  await two.click(id("move-3"));
  await two.waitForFunction(() => new URL(location.href).searchParams.get("moves") === "3");
  await two.click(id("tab-tree"));
  await two.locator(id("tree-row")).nth(3).waitFor();
  const { troubles } = two;
  await two.close();
  assert.deepEqual(troubles, []);
  await text(one, "search-state", /searching/i);
  await one.click(id("search-stop"));
  await text(one, "search-answer", /unknown/);
  await one.waitForTimeout(4000);
  const before = bench.serverTime();
  await one.waitForTimeout(1000);
  const used = bench.serverTime() - before;
  assert.ok(used < 0.3, `the server is still at work: ${used} s in a second`);
  await bench.shut(one);
});

test("the keyboard alone is enough", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=tictactoe"));
  await page.locator(id("board")).waitFor();
  // To the board, to its middle, and a move.
  await page.keyboard.press("Tab");
  let focus = "";
  for (let step = 0; step < 30 && !focus.startsWith("spot-"); step += 1) {
    await page.keyboard.press("Tab");
    focus = await page.evaluate(() => document.activeElement?.getAttribute("data-testid") ?? "");
  }
  assert.match(focus, /^spot-/);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => new URL(location.href).searchParams.get("moves"));
  const first = new URL(page.url()).searchParams.get("moves");
  await page.keyboard.press("u");
  await page.waitForFunction(() => !new URL(location.href).searchParams.get("moves"));
  assert.match(first, /^[a-c][1-3]$/);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await picture(page, "help-1280");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  // A search and its tree.
  await page.locator(id("search-algorithm")).focus();
  await page.selectOption(id("search-algorithm"), "pn");
  await page.locator(id("search-start")).focus();
  await page.keyboard.press("Enter");
  await text(page, "search-answer", /draw/);
  await page.locator(id("show-tree")).focus();
  await page.keyboard.press("Enter");
  await page.locator(id("tree-row")).first().waitFor();
  await page.locator(id("tree")).focus();
  const rows = () => page.locator(id("tree-row")).count();
  const folded = await rows();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((folded) => document.querySelectorAll('[data-testid="tree-row"]').length > folded, folded);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((folded) => document.querySelectorAll('[data-testid="tree-row"]').length === folded, folded);
  await bench.shut(page);
});

test("the visible part of a tree is saved as SVG and DOT", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=connect4:4x4&moves=1%201%202"));
  await start(page, "pn", { goal: "win" });
  await text(page, "search-answer", /cannot|can get/);
  await page.click(id("show-tree"));
  await page.locator(id("tree-row")).nth(2).waitFor();
  // Every row in sight gets its board.
  await page.locator(`${id("tree-row")} svg circle`).nth(20).waitFor();
  for (const [button, wanted] of [
    ["export-svg", /^<svg[\s\S]*<\/svg>\s*$/],
    ["export-dot", /^digraph[\s\S]*->[\s\S]*}\s*$/],
  ]) {
    const saved = page.waitForEvent("download");
    await page.click(id(button));
    const file = readFileSync(await (await saved).path(), "utf8");
    assert.match(file, wanted);
  }
  await page.selectOption(id("tree-kind"), "solution");
  await page.locator(id("tree-row")).nth(1).waitFor();
  await bench.shut(page);
});

test("every game has a board, in a narrow window and in the dark too", async () => {
  const games = ["tictactoe", "connect4:5x4", "morris:9", "woodpush:8", "awari", "kalah", "chess", "antichess"];
  for (const [width, dark] of [[1280, false], [400, true]]) {
    const page = await bench.page({ width, height: width === 400 ? 800 : 900, dark });
    for (const game of games) {
      await page.goto(bench.at(`?game=${game}`));
      await page.locator(id("board")).locator('[data-testid^="spot-"]').first().waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${game} at ${width}: ${wide} pixels too wide`);
      await picture(page, `${game.replace(":", "-")}-${width}${dark ? "-dark" : ""}`);
    }
    if (width === 400) {
      await page.goto(bench.at("?game=connect4:5x4"));
      await start(page, "pn");
      await text(page, "search-answer", /draw/);
      await page.locator(id("search-answer")).scrollIntoViewIfNeeded();
      await picture(page, "search-400-dark");
      await page.click(id("show-tree"));
      await page.locator(id("tree-row")).nth(2).waitFor();
      await page.locator(id("tree")).scrollIntoViewIfNeeded();
      await picture(page, "tree-400-dark");
      await page.click(id("tab-search"));
      await page.click(id("open-proof"));
      await text(page, "certificate-state", /accepted/i);
      await page.locator(id("certificate-state")).scrollIntoViewIfNeeded();
      await picture(page, "proof-400-dark");
    }
    await bench.shut(page);
  }
});

test("a promotion is chosen from a menu", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=chess&position=7k%2FP7%2F8%2F8%2F8%2F8%2F8%2F7K%20w%20-%20-"));
  await page.click(id("spot-a7"));
  await page.click(id("spot-a8"));
  await page.getByRole("button", { name: /a8=N|a8N/ }).first().click();
  await page.waitForFunction(() => /N/.test(new URL(location.href).searchParams.get("moves") ?? ""));
  await bench.shut(page);
});

test("many pages whose searches have ended leave connections to others", async () => {
  const first = await bench.page();
  const pages = [first];
  for (let count = 1; count < 7; count += 1) pages.push(await bench.page({ context: first.context() }));
  for (const page of pages) {
    // Pages out of sight are slow.
    await page.bringToFront();
    await page.goto(bench.at("?game=tictactoe"));
    await start(page, "pn");
    await text(page, "search-answer", /draw/);
  }
  await first.bringToFront();
  await first.click(id("move-b2"));
  await first.waitForFunction(() => new URL(location.href).searchParams.get("moves") === "b2");
  // What was found is still there.
  await first.click(id("show-tree"));
  await first.locator(id("tree-row")).nth(2).waitFor();
  for (const page of pages) assert.deepEqual(page.troubles, []);
  await bench.shut(first);
});

test("what a search is about is said, and an unsolved one has no solution", async () => {
  const page = await bench.page();
  await page.goto(bench.at("?game=connect4:7x6&moves=4"));
  await start(page, "pn", { nodes: "5000" });
  await text(page, "search-answer", /unknown/);
  assert.match(await text(page, "search-about"), /connect4:7x6, after 4$/);
  await page.click(id("show-tree"));
  await page.locator(id("tree-row")).nth(2).waitFor();
  assert.deepEqual(await page.locator(`${id("tree-kind")} option`).allInnerTexts(), ["Search tree"]);
  await choose(page, "tictactoe");
  await page.click(id("tab-search"));
  assert.match(await text(page, "search-about"), /connect4:7x6, after 4.*not what is on the board/s);
  await bench.shut(page);
});

test("who plays on where the rules have settled a claim is not told to have left the proof", async () => {
  const page = await bench.page();
  await page.goto(bench.at(""));
  await page.click(id("tab-proof"));
  await page.setInputFiles(id("certificate-file"), bench.certificate("kalah:2x2", "kalah.quod"));
  await text(page, "certificate-state", /accepted/i);
  for (const part of ["0", "1"]) {
    if ((await page.locator(id("proof-part")).count()) > 0) await page.selectOption(id("proof-part"), part);
    else await page.click(id("proof-walk"));
    for (let ply = 0; ply < 30; ply += 1) {
      const status = await text(page, "proof-status", /You are|over|settle|circles/);
      assert.doesNotMatch(status, /left the proof/);
      const all = await moves(page);
      if (/over/.test(status) || all.length === 0) break;
      const before = page.url();
      await page.click(id(`move-${all[0].move}`));
      await page.waitForFunction((before) => location.href !== before, before);
      await page.waitForTimeout(400);
    }
  }
  await bench.shut(page);
});

test("long words do not widen a narrow page", async () => {
  const page = await bench.page({ width: 400, height: 800 });
  await page.goto(bench.at(`?game=tictactoe&position=${"Z".repeat(300)}`));
  await text(page, "error", /ZZZ/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  await bench.shut(page);
});
