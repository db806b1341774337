// Tests the report in a browser. All tests share one Chromium.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleSubject, subjectAt } from "../../cli/report/testing/subjects.ts";
import { writeLargePage } from "../../dev/bench/large-page.ts";
import { type Chromium, startChromium, type Watched } from "../../dev/fixtures/browser.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { explainDecision } from "../why/index.ts";
import { reportPage, type Subject } from "./index.ts";
import { STYLE } from "./parts.ts";
import { addAudit } from "./testing/audited.ts";
import { findCutParts } from "./testing/cut.ts";
import { spoiled } from "./testing/spoiled.ts";

const CONTRAST = readFileSync(new URL("./testing/contrast.mjs", import.meta.url), "utf8");

let folder: string;
let browser: Chromium;
let subject: Subject;
let opened: Watched[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capc-report-"));
  subject = await exampleSubject("tour");
  browser = await startChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** Checks after every test that the page sent no request and logged no error. */
afterEach(async () => {
  const seen = opened;
  opened = [];
  for (const { page } of seen) await page.context().close();
  expect(seen.map(({ asked, complaints }) => ({ asked, complaints }))).toEqual(
    seen.map(() => ({ asked: [], complaints: [] })),
  );
});

async function open(shown: Subject, options: Parameters<Chromium["open"]>[1] = {}): Promise<Page> {
  const file = join(folder, "report.html");
  writeFileSync(file, reportPage(shown));
  const watched = await browser.open(pathToFileURL(file).href, { viewport: { width: 1400, height: 900 }, ...options });
  opened.push(watched);
  return watched.page;
}

const cell = (tool: string, place: number) => `#grid tr:has(th a:text-is("${tool}")) td:nth-child(${place + 2}) a`;
/** Returns the tool and the column of the focused cell. */
const focused = async (page: Page) => {
  const line = "document.activeElement.closest('tr')";
  return `${await page.evaluate(`${line}.querySelector('th a').textContent`)} ${await page.evaluate("document.activeElement.closest('td').cellIndex")}`;
};

test("the keyboard alone can reach a cell, move across the matrix, open the reason and return", async () => {
  const page = await open(subject);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the report");
  await page.locator("#column").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("bench.delete 1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  expect(await focused(page)).toBe("bench.list 2");
  await page.keyboard.press("Control+End");
  expect(await focused(page)).toBe("web.post 4");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("End");
  expect(await focused(page)).toBe("docs.list 4");
  expect(await page.locator('#grid td a[tabindex="0"]').count()).toBe(1);
  await page.locator(cell("post.send", 1)).focus();
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("post.send in resident");
  await page.keyboard.press("Escape");
  expect(await page.locator("#detail").isVisible()).toBe(false);
  expect(await focused(page)).toBe("post.send 2");
});

test("a cell shows the output of capc why and links to the deciding rule of the page", async () => {
  const page = await open(subject);
  const explained = explainDecision(subject.policy, subject.origins, { session: "resident", tool: "docs.write" });
  if (!explained.ok) throw new Error(explained.reason);
  const { answer, reason, checks, rule } = explained.value;
  await page.locator(cell("docs.write", 1)).click();
  const detail = page.locator("#detail");
  expect(await detail.locator(".answer").textContent()).toBe(`${answer} ${reason}`);
  const told = await detail.locator(".checks tbody tr").all();
  expect(await Promise.all(told.map((line) => line.locator("div").allTextContents()))).toEqual(
    checks.map(({ words }) => words),
  );
  expect(await detail.locator(".line pre").textContent()).toContain(rule?.words);
  await detail.locator(".line a").click();
  expect(await page.locator(".row:target mark").allTextContents()).toContain(rule?.words);
  // The panel with reasons is open, so it must show the newly focused cell.
  await page.locator(cell("vault.write", 1)).focus();
  expect(await detail.locator("h3").textContent()).toBe("vault.write in resident");
});

test("a narrow window shows each change as a list with the names of the columns, and cuts off no change", async () => {
  const told = [
    {
      ...{ kind: "widened" as const, widens: true, where: ["resident: docs.write"], because: [] },
      ...{ before: "consent where size(content) <= 1024 else forbidden", after: "auto", details: ["login: none"] },
      ...{
        shownBy: ['docs.write {"content":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}: consent → auto'],
        lines: [],
      },
    },
  ] as const;
  const changes = { before: "old", counts: "1 widened", told, cells: [], notCompared: [], unseen: undefined };
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [400, 1200]) {
      const page = await open({ ...subject, changes }, { viewport: { width, height: 900 }, colorScheme });
      const sizes = await page.locator("#changes .wide").evaluate((table) => [table.scrollWidth, table.clientWidth]);
      expect({ width, isCut: (sizes[0] ?? 0) > (sizes[1] ?? 0) }).toEqual({ width, isCut: false });
      const label = await page.evaluate(
        "getComputedStyle(document.querySelector('#changes td[data-label=before]'), '::before').content",
      );
      expect(label).toBe(width === 400 ? '"before"' : "none");
    }
  }
});

test("tools can be filtered by text, gate, category, place and change, and an empty result is reported", async () => {
  const place = { session: "resident", task: "", phase: "", worker: "" };
  const cells = [{ place, tool: "docs.read", direction: "widened" }] as const;
  const page = await open({
    ...subject,
    changes: { before: "old", counts: "", told: [], cells, notCompared: [], unseen: undefined },
  });
  const shown = () => page.locator("#grid tr[data-t]:visible th a").allTextContents();
  await page.fill("#search", "ALARM letter");
  expect(await shown()).toEqual([]);
  expect(await page.locator("#nothing").isVisible()).toBe(true);
  await page.fill("#search", "docs");
  expect(await shown()).toEqual(["docs.delete", "docs.list", "docs.read", "docs.write"]);
  await page.selectOption("#gate", "stepUp");
  expect(await shown()).toEqual(["docs.delete"]);
  await page.selectOption("#gate", "");
  await page.selectOption("#category", "readOnly");
  expect(await shown()).toEqual(["docs.list", "docs.read"]);
  await page.selectOption("#column", "0");
  expect(await page.locator("#grid thead th:visible").count()).toBe(2);
  await page.selectOption("#column", "");
  await page.check("#changed");
  expect(await shown()).toEqual(["docs.read"]);
  expect(await page.locator("#found").textContent()).toBe(`1 of ${subject.tables.tools.length} tools`);
  expect(await page.locator(cell("docs.read", 1)).textContent()).toBe("▲ auto");
  expect(await page.locator('#grid td a[tabindex="0"]:visible').count()).toBe(1);
});

test("a filter by gate finds every tool that may have this gate, even if the tool may have looser and stricter gates too", async () => {
  const { tables } = subject;
  const floor = {
    conditions: [],
    confidentialityAtLeast: 0,
    integrityAtMost: 0,
    compartments: 0n,
    unattended: false,
    rule: 0,
  };
  const floors = [{ ...floor, mode: "consent" } as const, { ...floor, mode: "stepUp" } as const];
  const decisions = tables.decisions.map((list) => ({ ...list, floors }));
  const page = await open({ ...subject, tables: { ...tables, decisions } });
  expect(await page.locator(cell("docs.read", 1)).textContent()).toBe("auto ▸ consent ▸ stepUp");
  await page.fill("#search", "docs.read");
  for (const [gate, count] of [
    ["auto", 1],
    ["consent", 1],
    ["stepUp", 1],
    ["forbidden", 0],
  ] as const) {
    await page.selectOption("#gate", gate);
    expect(await page.locator("#grid tr[data-t]:visible").count()).toBe(count);
  }
});

test("all text meets the AA contrast in light and dark, wide and narrow, and the theme can be chosen", async () => {
  const page = await open(subject, { colorScheme: "light" });
  await page.locator(cell("docs.write", 1)).click();
  const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const seen = [];
  for (const [colorScheme, width] of [
    ["light", 1400],
    ["dark", 1400],
    ["dark", 360],
    ["light", 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    expect(await page.evaluate(CONTRAST)).toEqual([]);
    // Tables and drawings scroll separately; the page itself does not.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    seen.push(await back());
  }
  expect(seen).toEqual([seen[0], seen[1], seen[1], seen[0]]);
  expect(seen[0]).not.toBe(seen[1]);
  await page.locator("#close").click();
  for (const [named, colour] of [
    ["light", seen[0]],
    ["dark", seen[1]],
    ["system", seen[0]],
  ] as const) {
    await page.click("#theme");
    expect(await page.textContent("#theme")).toBe(`Theme: ${named}`);
    expect(await back()).toBe(colour);
  }
});

test("the audit of a report is readable at 400 and 1200 pixels in light and dark, and the timeline shows each outcome", async () => {
  const page = await open(addAudit(subject));
  await page.locator("#audit details summary").click();
  for (const [colorScheme, width] of [
    ["light", 1200],
    ["dark", 1200],
    ["dark", 400],
    ["light", 400],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 700 });
    expect(await page.evaluate(CONTRAST)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const drawing = await page.locator("#audit .timeline svg").boundingBox();
    const bars = await page.locator("#audit .timeline rect").all();
    const boxes = await Promise.all(bars.map((bar) => bar.boundingBox()));
    expect(boxes.length).toBeGreaterThanOrEqual(5);
    for (const box of boxes) {
      expect(box?.width).toBeGreaterThan(2);
      expect((box?.x ?? -9) + 1).toBeGreaterThanOrEqual(drawing?.x ?? 0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((drawing?.x ?? 0) + (drawing?.width ?? 0) + 1);
    }
  }
  for (const group of ["ok", "denied", "refused", "failed", "unknown"])
    expect(await page.locator(`#audit .timeline rect.${group}`).count()).toBeGreaterThan(0);
  expect(await page.locator("#audit .lead").textContent()).toContain(
    "From the audit log audit.log, 2027-01-30 09:01 to",
  );
});

test("no drawing is cut, and no header breaks inside a name, at any width", async () => {
  const page = await open(subject);
  await page.locator(cell("docs.write", 1)).click();
  expect(await findCutParts(page)).toEqual([]);
  // A name that is wider than the screen must not cover the cells.
  const long = { ...subject, tables: nameTools(subject.tables, "x".repeat(200)) };
  const narrow = await open(long, { viewport: { width: 400, height: 900 } });
  expect(await narrow.evaluate("document.querySelector('#grid tbody th[scope=row]').offsetWidth")).toBeLessThan(340);
});

function nameTools(tables: Subject["tables"], name: string): Subject["tables"] {
  return { ...tables, tools: tables.tools.map((tool) => ({ ...tool, name: `${tool.provider}.${name}` })) };
}

test("the printed report has all sections in light colours and no controls", async () => {
  const page = await open(subject, { colorScheme: "dark" });
  await page.locator(cell("docs.write", 1)).click();
  await page.emulateMedia({ media: "print" });
  for (const gone of ["#filter", "#theme", "nav", "#detail"]) expect(await page.locator(gone).isVisible()).toBe(false);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
  for (const summary of ["All flows as a table", "All processes and grants as a table"])
    expect(await page.locator(`details:has(summary:text-is("${summary}")) table`).isVisible()).toBe(true);
  expect(await page.evaluate("getComputedStyle(document.querySelector('.matrix')).overflow")).toBe("visible");
});

test("the style has no animations and no transitions", () => {
  expect(STYLE).not.toMatch(/transition|animation|scroll-behavior/);
});

test("without scripts the report is readable, and a cell links to its decision", async () => {
  const page = await open(subject, { javaScriptEnabled: false });
  expect(await page.locator("#filter").isVisible()).toBe(false);
  await page.locator(cell("docs.write", 1)).click();
  expect(await page.locator("#decisions tr:target").textContent()).toContain("forbidden docs.write");
});

test("a hostile page is shown only as text, even in the parts that scripts write", async () => {
  const text = `<img src="http://127.0.0.1:9/x" onerror="window.hurt = 1"></script><script>window.hurt = 1</script>`;
  const page = await open(spoiled(subject, text));
  await page.locator("#grid td a").first().click();
  expect(await page.locator("#detail h3").textContent()).toContain("<img src=");
  expect(await page.locator("#detail .why code").textContent()).toContain(`capc why 'system.cap<img src=`);
  expect(await page.evaluate("[document.images.length, window.hurt ?? 0]")).toEqual([0, 0]);
});

/** Maximum size of a report, as the README states it. */
const MOST_BYTES = 2_000_000;

test("the report about a thousand tools in twenty sessions is at most 2 MB", async () => {
  const large = await subjectAt(createDiskHost("2026-01-01"), writeLargePage(join(folder, "larger"), 1000, 20));
  expect(Buffer.byteLength(reportPage(large))).toBeLessThan(MOST_BYTES);
});

test("a thousand tools can be searched", async () => {
  const large = await subjectAt(createDiskHost("2026-01-01"), writeLargePage(join(folder, "large"), 1000, 5));
  const page = await open(large);
  await page.fill("#search", "s249.write");
  expect(await page.locator("#grid tr[data-t]:visible").count()).toBe(1);
  await page.locator(cell("s249.write", 4)).click();
  expect(await page.locator("#detail h3").textContent()).toBe("s249.write in session4");
});
