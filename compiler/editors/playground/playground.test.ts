// Tests the playground as its users get it: one file, opened from a disk in Chromium. All tests share one browser.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Chromium, startChromium } from "../../dev/fixtures/browser.ts";
import { renderPlayground } from "./html.ts";
import { readLicences } from "./licences.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

let folder: string;
let html: string;
let url: string;
let browser: Chromium;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-playground-"));
  html = await renderPlayground();
  writeFileSync(join(folder, "playground.html"), html);
  url = pathToFileURL(join(folder, "playground.html")).href;
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Waits until a value is as expected, because the compiler is slow on a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read);

const statusOf = (page: Page) => page.locator("#status");
const cell = (page: Page, about: string) => page.getByRole("button", { name: about });

/** Opens the playground, and returns the browser's page after the first result of the compiler. */
async function opened(options: Parameters<Chromium["open"]>[1] = {}) {
  const watched = await browser.open(url, options);
  await statusOf(watched.page).getByText("no findings").waitFor();
  return watched;
}

/** Returns the background colour of the page; none if the content policy refused the style sheet. */
const paperOf = (page: Page) => page.evaluate("getComputedStyle(document.body).backgroundColor");

async function typed(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

test("the same checkout gives the same bytes, at most two million", async () => {
  expect(await renderPlayground()).toBe(html);
  expect(Buffer.byteLength(html)).toBeLessThan(2_000_000);
});

test("the page contains the licence of every bundled package", () => {
  const found = readLicences(CHECKOUT, ["node_modules/@codemirror/view/dist/index.js", "compiler/compile.ts"]);
  expect(found.map(({ name }) => name)).toEqual(["@codemirror/view"]);
  for (const name of ["@codemirror/view", "chevrotain", "buffer"])
    expect(html).toMatch(new RegExp(`^(.*>)?${name} \\d`, "m"));
});

test("the page's sources for the browser pass the type check without Node", () => {
  const words = ["node_modules/typescript/bin/tsc", "-p", "compiler/editors/playground/page"];
  const { status, stdout } = spawnSync(process.execPath, words, { cwd: CHECKOUT, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

test("the page makes no requests and has no errors, and its content policy blocks requests and scripts", async () => {
  const { page, asked, complaints } = await opened({ colorScheme: "light" });
  expect(await paperOf(page)).toBe("rgb(255, 255, 255)");
  expect(asked.filter((address) => !address.startsWith("blob:"))).toEqual([]);
  expect(complaints).toEqual([]);
  await page.evaluate("fetch('https://example.org').catch(() => {})");
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('script'), { textContent: 'stolen = 1' }))",
  );
  expect(await page.evaluate("typeof stolen")).toBe("undefined");
  for (const directive of ["connect-src", "script-src"]) expect(complaints.join("\n")).toContain(directive);
  await page.close();
});

test("a mistake is shown while typing, at its place, and a certain fix corrects it", async () => {
  const { page, complaints } = await opened();
  const before = await page.locator("#matrix").textContent();
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("use std");
  await soon(() => statusOf(page).textContent()).toBe("1 error");
  await page.keyboard.type(".tolls\n");
  // The previous text has one error, too, and its findings stay until the compiler has checked again.
  const marked = page.locator(".cm-lintRange-error").getByText("std.tolls", { exact: true });
  await marked.waitFor();
  expect(await statusOf(page).textContent()).toBe("1 error");
  expect(await page.locator("#findings .error").textContent()).toContain("error[unknown-module]");
  expect(await page.locator("#stale").textContent()).toBe("The page has errors, so nothing is decided.");
  expect(await page.locator("#matrix").textContent()).toBe("");
  await page.locator("#findings .found").click();
  await page.keyboard.type("std.tools");
  await page.locator("#stale").waitFor({ state: "hidden" });
  expect(await page.locator("#matrix").textContent()).toBe(before);
  expect(complaints).toEqual([]);
  await typed(page, (await pageText(page)).replace("session visitor", "sesion visitor"));
  await page.getByRole("button", { name: "Put `session` there" }).click();
  await soon(() => pageText(page)).toContain("session visitor");
  await page.close();
});

/**
 * Returns the text of the policy page. CodeMirror creates elements only for the visible lines, but this page is small
 * enough to be visible completely.
 */
async function pageText(page: Page): Promise<string> {
  return (await page.locator(".cm-line").allTextContents()).join("\n");
}

test("on a small dark screen, arrow keys move in the matrix, Enter explains a cell, and other arguments and labels change the explanation", async () => {
  const { page } = await opened({ colorScheme: "dark", viewport: { width: 400, height: 800 } });
  expect(await paperOf(page)).toBe("rgb(22, 25, 29)");
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  await cell(page, "notes.delete in operator").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  const answer = page.locator("#answer");
  await answer.getByText("notes.write").waitFor();
  expect(await answer.textContent()).toContain("checks, in their order:");
  await page.getByLabel("with the arguments").fill('{"content": "x", "path": "/locked/a"}');
  await answer.getByText("refusedByPolicy").waitFor();
  await page.getByLabel("after having seen").fill("nonsense");
  await answer.getByText("nonsense is no label of this page").waitFor();
  await page.getByLabel("after having seen").fill("");
  await page.getByRole("button", { name: "Show the line that decided" }).click();
  await soon(() => page.locator(".cm-activeLine").textContent()).toContain("forbidden Files.write where path");
  await page.close();
});

test("a page can be formatted by keyboard, and the change can be undone", async () => {
  const { page } = await opened();
  const formed = await pageText(page);
  await typed(page, formed.replaceAll("  ", "\t"));
  await soon(() => pageText(page)).not.toBe(formed);
  await page.keyboard.press("Shift+Alt+F");
  await soon(() => pageText(page)).toBe(formed);
  await page.keyboard.press("ControlOrMeta+z");
  await soon(() => pageText(page)).not.toBe(formed);
  await page.close();
});

test("opening an example's folder loads the files of its page, and the decisions equal the goldens of the example", async () => {
  const { page } = await opened();
  await page.locator("#folder").setInputFiles(join(CHECKOUT, "examples/first-agent"));
  await page.locator("#matrix th").getByText("journal.follow").waitFor();
  const lines = readFileSync(join(CHECKOUT, "golden/first-agent/decisions.tsv"), "utf8").trimEnd().split("\n").slice(1);
  const accepted = lines.map((line) => line.split("\t")).filter(([, , , , , advertised]) => advertised !== "-");
  expect(accepted.length).toBeGreaterThan(5);
  const labels = await page
    .locator("#matrix td button")
    .evaluateAll((buttons) => buttons.map((each) => each.ariaLabel));
  for (const [session, task, phase, worker, tool, advertised, strictest] of accepted) {
    const place = [session, task, phase, worker].filter((part) => part !== "-").join(".");
    const words = advertised === strictest ? advertised : `${advertised} … ${strictest}`;
    if (worker === "-") expect(labels).toContain(`${tool} in ${place}: ${words}`);
  }
  await page.close();
});

test("large files of a folder are left out and named, and a page that is listed after them is found", async () => {
  const large = join(folder, "large");
  mkdirSync(large);
  const files = Array.from({ length: 7 }, (_, at) => `a${at}.weights`);
  for (const name of files) writeFileSync(join(large, name), Buffer.alloc(2 * 1024 * 1024));
  writeFileSync(join(large, "system.cap"), "/// found");
  const { page } = await opened();
  await page.locator("#folder").setInputFiles(large);
  await soon(() => page.locator(".cm-content").textContent()).toBe("/// found");
  const told = await page.locator("#notice").textContent();
  expect(told).toMatch(
    /^0 files beside the page; left out, too large or too many: (a\d\.weights, ){4}a\d\.weights and 2 more$/,
  );
  await page.close();
});

test("features that a browser cannot run are left out and named, and a page without such features works afterwards", async () => {
  const { page } = await opened();
  const first = await pageText(page);
  await page.locator("#folder").setInputFiles(join(CHECKOUT, "examples/mcp-import"));
  await page.locator("#matrix th").getByText("get_issue").waitFor();
  expect(await statusOf(page).textContent()).toBe("3 warnings; not looked into: services/github.js");
  await page.locator("#folder").setInputFiles(join(CHECKOUT, "examples/capnp-tools"));
  await soon(() => statusOf(page).textContent()).toContain("left out here (imported Cap'n Proto schemas)");
  await typed(page, first);
  await soon(() => statusOf(page).textContent()).toBe("no findings");
  await page.close();
});

/** Script that delays requests to the compiler as long as \`held\` is true. */
const HOLDING = `
  window.held = false;
  window.kept = [];
  window.Worker = class extends Worker {
    postMessage(request) {
      if (window.held) window.kept.push(() => super.postMessage(request));
      else super.postMessage(request);
    }
  };`;

test("results of the previous text are marked and cannot be used until the new text is checked", async () => {
  const { page } = await opened();
  await page.addInitScript(HOLDING);
  await page.reload();
  await statusOf(page).getByText("no findings").waitFor();
  await cell(page, "notes.read in operator").click();
  await page.locator("#answer").getByText("notes.read").waitFor();
  await page.evaluate("held = true");
  await typed(page, (await pageText(page)).replace("auto      readOnly", "consent   readOnly"));
  expect(await page.locator("#stale").textContent()).toBe("The page has changed: checking it…");
  expect(await statusOf(page).textContent()).toBe("checking…");
  for (const id of ["#matrix", "#answer", "#findings"])
    expect(
      await page.locator(id).evaluate((part: { inert: boolean; className: string }) => [part.inert, part.className]),
    ).toEqual([true, "old"]);
  await page.evaluate("held = false; for (const send of kept) send()");
  await cell(page, "notes.read in operator: consent").waitFor();
  expect(await page.locator("#stale").isVisible()).toBe(false);
  await page.locator("#answer").getByText("consent readOnly").first().waitFor();
  expect(await page.locator("#answer").evaluate((part: { inert: boolean }) => part.inert)).toBe(false);
  await page.close();
});

/**
 * Waits until CodeMirror accepts keys. It ignores them while a list of words is younger than 75 ms, so that nobody
 * accepts a word that has just appeared.
 */
const untilKeysCount = (page: Page) => page.waitForTimeout(150);

test("a person can complete a word, and see what a name means, with the keyboard alone", async () => {
  const { page, complaints } = await opened({ viewport: { width: 400, height: 800 } });
  const content = page.locator(".cm-content");
  const words = page.locator(".cm-tooltip-autocomplete");
  await content.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let line = 1; line < 19; line += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.type("\nconsent no");
  await soon(() => words.locator("li").allTextContents()).toEqual(["notesservice"]);
  await untilKeysCount(page);
  await page.keyboard.press("Tab");
  await page.keyboard.type(".");
  await words.locator("li").getByText("list").waitFor();
  await untilKeysCount(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await soon(() => page.locator(".cm-activeLine").textContent()).toContain("consent notes.list");
  await statusOf(page).getByText("no findings").waitFor();
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.press("ControlOrMeta+i");
  const told = page.getByRole("status").getByText("List the names in a directory.");
  await told.waitFor();
  expect(await page.locator(".cap-told strong").allTextContents()).toEqual(["consent", "consent"]);
  await page.keyboard.press("Escape");
  await told.waitFor({ state: "detached" });
  await page.keyboard.press("End");
  await page.keyboard.type(" ");
  await page.keyboard.press("Control+Space");
  await words.locator("li").getByText("where").waitFor();
  await page.keyboard.press("Escape");
  await words.waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.id")).not.toBe("editor");
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(complaints).toEqual([]);
  await page.close();
});

test("a hover under the pointer is hidden by the next change", async () => {
  const { page } = await opened();
  await page.locator(".cm-content").focus();
  await page
    .locator(".cm-line")
    .getByText("Files.write")
    .hover({ position: { x: 210, y: 8 } });
  const told = page.getByRole("tooltip").getByText("Write a text file");
  await told.waitFor();
  await page.keyboard.type(" ");
  await told.waitFor({ state: "detached" });
  await page.close();
});

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

test("files that a page lacks are made, each has a tab, and a mistake is marked in its own file", async () => {
  const { page } = await opened();
  const text = (await pageText(page)).replace(
    "  /// The notes",
    '  principal alice { ssh "keys/alice.pub" }\n  use "./more.cap"\n  /// The notes',
  );
  await typed(page, text.replace("kind operator", "kind operator  principals alice"));
  await page.getByRole("button", { name: "Make keys/alice.pub" }).click();
  await tab(page, "keys/alice.pub").waitFor();
  expect(await page.locator("#notice").textContent()).toContain("its private half was not kept");
  await soon(() => pageText(page)).toMatch(/^ssh-ed25519 /);
  await page.getByRole("button", { name: "Make more.cap" }).click();
  await statusOf(page).getByText("1 warning").waitFor();
  expect(await page.getByRole("tab").allTextContents()).toEqual(["system.cap", "keys/alice.pub", "more.cap"]);
  await typed(page, "sytem");
  await page.locator("#findings .error").getByText("more.cap:1:1").waitFor();
  await page.locator(".cm-lintRange-error").waitFor();
  await tab(page, "more.cap").focus();
  await page.keyboard.press("Home");
  await soon(() => pageText(page)).toContain("principal alice");
  expect(await tab(page, "system.cap").getAttribute("aria-selected")).toBe("true");
  expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
  await page.locator("#findings .error .found, #findings .error button").first().click();
  await soon(() => pageText(page)).toBe("sytem");
  page.on("dialog", (dialog) => dialog.accept());
  await page.getByRole("button", { name: "Remove this file…" }).click();
  await page.getByRole("button", { name: "Make more.cap" }).waitFor();
  await page.getByRole("button", { name: "New file…" }).click();
  await page.keyboard.type("../x.cap");
  await page.keyboard.press("Enter");
  expect(await page.locator("#notice").textContent()).toContain("in the folder of the page");
  await page.close();
});

test("a path in quotes is completed with the files of the project, folder by folder", async () => {
  const { page } = await opened();
  const text = `${await pageText(page)}\nprincipal alice { ssh "keys/alice.pub" }`;
  await typed(page, text);
  await page.getByRole("button", { name: "Make keys/alice.pub" }).click();
  await tab(page, "keys/alice.pub").waitFor();
  await tab(page, "system.cap").click();
  await typed(page, `${text}\nprincipal bob { ssh `);
  await statusOf(page).getByText("error").waitFor();
  const words = page.locator(".cm-tooltip-autocomplete");
  await page.keyboard.type('"');
  await soon(() => words.locator("li").allTextContents()).toEqual(["keys/"]);
  await untilKeysCount(page);
  await page.keyboard.press("Enter");
  await soon(() => words.locator("li").allTextContents()).toEqual(["alice.pub"]);
  await untilKeysCount(page);
  await page.keyboard.press("Enter");
  await soon(() => page.locator(".cm-activeLine").textContent()).toBe('principal bob { ssh "keys/alice.pub"');
  await page.close();
});

test("an import is pinned with one click, also while cap.lock is the shown file", async () => {
  const { page } = await opened();
  await typed(
    page,
    (await pageText(page)).replace("  /// The notes", '  use mcp "./gh.tools.json" as gh\n  /// The notes'),
  );
  await page.getByRole("button", { name: "Make gh.tools.json" }).click();
  const pin = page.getByRole("button", { name: "Pin it in cap.lock as it is" });
  await pin.click();
  await tab(page, "cap.lock").click();
  await soon(() => pageText(page)).toContain("gh.tools.json");
  const before = await pageText(page);
  await tab(page, "gh.tools.json").click();
  await typed(page, (await pageText(page)).replace("look_up", "look"));
  await pin.waitFor();
  await tab(page, "cap.lock").click();
  await pin.click();
  await pin.waitFor({ state: "detached" });
  expect(await pageText(page)).not.toBe(before);
  await page.close();
});

test("a link contains the project, opens it in another browser, and is sent nowhere", async () => {
  const { page } = await opened();
  await typed(page, `use "./more.cap"\n${(await pageText(page)).replace("notebook", "shared")}`);
  await page.getByRole("button", { name: "Make more.cap" }).click();
  await statusOf(page).getByText("no findings").waitFor();
  await page.getByRole("button", { name: "Share by link" }).click();
  const link = await page.locator("#link").inputValue();
  expect(link).toMatch(/playground\.html#1\.[\w-]+$/);
  await page.keyboard.press("Escape");
  const other = await browser.open(link);
  await statusOf(other.page).getByText("no findings").waitFor();
  expect(await other.page.getByRole("tab").allTextContents()).toEqual(["system.cap", "more.cap"]);
  expect(await pageText(other.page)).toContain("system shared");
  // A browser leaves the fragment out of a request.
  expect(other.asked.filter((address) => !address.startsWith("blob:"))).toEqual([url]);
  await other.page.close();
  await page.close();
});

test.each(["#1.AAAA", "#1.", "#nonsense", `#1.${"A".repeat(70_000)}`])(
  "a broken link is reported, and the first page is shown: %.12s",
  async (fragment) => {
    const { page, complaints } = await browser.open(`${url}${fragment}`);
    await statusOf(page).getByText("no findings").waitFor();
    expect(await page.locator("#notice").textContent()).toMatch(
      /^the link has no project that can be read, so this is the first page: /,
    );
    expect(await pageText(page)).toContain("system notebook");
    expect(complaints).toEqual([]);
    await page.close();
  },
);

test("a compiler that does not respond is stopped, with a message", async () => {
  const { page } = await opened();
  await page.clock.install();
  await page.addInitScript(
    "window.ended = 0; window.Worker = class { postMessage() {} terminate() { window.ended += 1 } }",
  );
  await page.reload();
  await page.clock.fastForward(30_000);
  await soon(() => statusOf(page).textContent()).toContain("did not come back");
  expect(await page.evaluate("ended")).toBe(1);
  await page.close();
});
