// The playground as its readers have it: one file, opened from a disk in Chromium. One browser for all of it.

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

/** A compiler on a busy machine may take its time. */
const soon = <T>(read: () => T) => expect.poll(read);

const statusOf = (page: Page) => page.locator("#status");
const cell = (page: Page, about: string) => page.getByRole("button", { name: about });

/** The page, when the compiler has answered for the first time. */
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
  expect(await page.locator("#stale").textContent()).toBe("As it was before the errors.");
  expect(await page.locator("#matrix").textContent()).toBe(before);
  await page.locator("#findings .found").click();
  await page.keyboard.type("std.tools");
  await page.locator("#stale").waitFor({ state: "hidden" });
  expect(complaints).toEqual([]);
  await typed(page, (await pageText(page)).replace("session visitor", "sesion visitor"));
  await page.getByRole("button", { name: "Put `session` there" }).click();
  await soon(() => pageText(page)).toContain("session visitor");
  await page.close();
});

/** Lines beyond the screen are not in the document: the page is small enough to be there whole. */
async function pageText(page: Page): Promise<string> {
  return (await page.locator(".cm-line").allTextContents()).join("\n");
}

test("arrow keys move in the matrix, and Enter explains a cell, with other arguments and labels, dark and on a small screen", async () => {
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

test("a folder brings the files of its page, and decisions equal the golden ones of that example", async () => {
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

test("large files of a folder are left out by name, and the page after them is found", async () => {
  const large = join(folder, "large");
  mkdirSync(large);
  const files = Array.from({ length: 7 }, (_, at) => `a${at}.weights`);
  for (const name of files) writeFileSync(join(large, name), Buffer.alloc(2 * 1024 * 1024));
  writeFileSync(join(large, "system.cap"), "/// found");
  const { page } = await opened();
  await page.locator("#folder").setInputFiles(large);
  await soon(() => page.locator(".cm-content").textContent()).toBe("/// found");
  const told = await page.locator("#beside").textContent();
  expect(told).toMatch(
    /^0 files beside the page; left out, too large or too many: (a\d\.weights, ){4}a\d\.weights and 2 more$/,
  );
  await page.close();
});

test("features that need more than a browser are left out by name, and the next page works again", async () => {
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
