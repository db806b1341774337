import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Model } from "../../phases/bind/index.ts";
import { checkSize } from "./size.ts";

// The models are enlarged from a small one. compile.test.ts compiles pages of this size.

const SMALL = renderFactsPage({
  sessions: `session operator { kind operator  models { auto canned }  permit { auto readOnly } quota { 1 calls per turn } }
    task t in operator { phase p { quota { 1 prompts per turn } } }`,
  rest: `declassify notes.write from internal to public by consent because "CHG-9: a report"
    storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
});

function repeated<T>([first]: readonly T[], count: number): T[] {
  if (first === undefined) throw new Error("there is one to repeat");
  return Array.from({ length: count }, () => first);
}

/** Returns a text `COUNT WHAT` for each exceeded limit. */
async function passed(change: (model: Model) => Partial<Model>): Promise<string[]> {
  const model = await bindModel(SMALL);
  return checkSize({ ...model, ...change(model) }).map(({ message }) => message);
}

const said = (count: number, what: string, limit = 10_000) =>
  `the page has ${count} ${what}; at most ${limit} are possible`;

test("a small page is not too large, and a page exactly at the limit is not too large either", async () => {
  expect(await passed(() => ({}))).toEqual([]);
  expect(await passed(({ tools }) => ({ tools: repeated(tools, 65_536) }))).toEqual([]);
  expect(await passed(({ tools }) => ({ tools: repeated(tools, 100_000), releases: [] }))).toEqual([]);
});

test("too many overlapping rules with one pattern are reported", async () => {
  const page = (count: number, bits: number) => {
    const checks = (at: number) =>
      Array.from({ length: bits }, (_, bit) => (Math.floor(at / 2 ** bit) % 2 === 1 ? ` and path != "${bit}"` : ""));
    const lines = Array.from(
      { length: count },
      (_, at) => `auto notes.write where size(content) > 0${checks(at).join("")} else consent`,
    );
    return bindModel(renderFactsPage({ permit: `auto readOnly  ${lines.join("  ")}` }));
  };
  expect(checkSize(await page(2048, 11))).toEqual([]);
  expect(checkSize(await page(4096, 12)).map(({ message }) => message)).toEqual([
    expect.stringMatching(/overlaps of lines of one pattern; at most 4194304 are possible/),
  ]);
});

test("one tool more than the limit is reported, and the limit is lower if the page has a release", async () => {
  const bare = { sessions: [], tasks: [] };
  expect(await passed(({ tools }) => ({ ...bare, tools: repeated(tools, 65_537) }))).toEqual([
    said(65_537, "tools beside a release", 65_536),
  ]);
  expect(await passed(({ tools }) => ({ ...bare, tools: repeated(tools, 100_001), releases: [] }))).toEqual([
    said(100_001, "tools", 100_000),
  ]);
});

test.each(["categories", "principals", "backends"] as const)(
  "a page with one more than the limit of %s is reported",
  async (what) => {
    const model = await bindModel(
      SMALL.replace("use std.tools", 'use std.tools principal alice { ssh "keys/alice.pub" }'),
    );
    const many = { ...model, sessions: [], tasks: [], releases: [], [what]: repeated<unknown>(model[what], 10_001) };
    expect(checkSize(many).map(({ message }) => message)).toEqual([said(10_001, what)]);
  },
);

test("too many sessions are reported, with their rows and cells", async () => {
  expect(await passed(({ sessions }) => ({ sessions: repeated(sessions, 10_001), tasks: [], releases: [] }))).toEqual([
    said(10_001, "sessions"),
    said(10_001, "rows of sessions, tasks, phases and workers", 4_000),
    said(10_001 * 10_001, "pairs of rows with quotas and releases", 1_000_000),
  ]);
  const rows = await passed(({ tasks }) => ({ tasks: repeated(tasks, 4_000) }));
  expect(rows[0]).toBe(said(4_001, "rows of sessions, tasks, phases and workers", 4_000));
});

test("cells are counted for each row, or for each session if the page has more sessions than rows", async () => {
  const cells = (count: number) => said(count, "cells of sessions and tools", 1_000_000);
  const inRows = await passed(({ tools, tasks }) => ({ tools: repeated(tools, 1001), tasks: repeated(tasks, 999) }));
  expect(inRows).toContain(cells(1_001_000));
  const inSessions = await passed(({ tools, sessions }) => ({
    tools: repeated(tools, 1001),
    sessions: repeated(sessions, 1000).map((session) => ({ ...session, abstract: true })),
  }));
  expect(inSessions).toContain(cells(1_001_000));
});

test("for each row, the quotas of all its layers and all releases are counted", async () => {
  // 500 rows. The 999 quotas are one of the session, 997 of a task, and one of its phase.
  const many = (releases: number) =>
    passed((model) => ({
      tasks: repeated(model.tasks, 499).map((task, index) =>
        index === 0 ? { ...task, quotas: repeated(task.phases[0]?.quotas ?? [], 997) } : { ...task, phases: [] },
      ),
      releases: repeated(model.releases, releases),
    }));
  expect(await many(1001)).toEqual([]);
  expect(await many(1002)).toEqual([said(1_000_500, "pairs of rows with quotas and releases", 1_000_000)]);
});

test("pairs of rules and tools are counted in sessions, in their tasks, and in releases", async () => {
  const covering = (at: Model, count: number) => {
    const [line] = at.sessions.find(({ own }) => own)?.lines ?? [];
    const [pattern] = line?.patterns ?? [];
    if (line === undefined || pattern === undefined) throw new Error("the session has a line");
    return { ...line, patterns: [{ ...pattern, tools: repeated(at.tools, count) }] };
  };
  const covered = await passed((model) => ({
    sessions: model.sessions.map((session) =>
      session.own ? { ...session, lines: [covering(model, 2_000_000)] } : session,
    ),
    tasks: model.tasks.map((task) => ({ ...task, lines: [covering(model, 3_000_000)] })),
  }));
  expect(covered).toEqual([said(5_000_001, "pairs of lines and tools", 5_000_000)]);
});

test("for each assertion, all rows and all tools are counted", async () => {
  const model = await bindModel(SMALL);
  const { assertions } = await bindModel(SMALL.replace("storage {", "assert never call destructive\n storage {"));
  // The two rows are the session, and its task in its only phase.
  const each = 2 + model.tools.length;
  const most = Math.floor(2_000_000 / each);
  const asserting = (count: number) => checkSize({ ...model, assertions: repeated(assertions, count) });
  expect(asserting(most)).toEqual([]);
  expect(asserting(most + 1).map(({ message }) => message)).toEqual([
    said((most + 1) * each, "pairs of assertions with rows and tools", 2_000_000),
  ]);
});

test("the finding about a limit is at the system's name, or at the top of a page without a system", async () => {
  const model = await bindModel(SMALL);
  const at = (system: Model["system"]) =>
    checkSize({ ...model, system, tools: repeated(model.tools, 100_001) })[0]?.span;
  expect(at(model.system)).toEqual(model.system?.name.span);
  expect(at(undefined)).toMatchObject({ source: { path: "system.cap" }, start: 0, end: 0 });
});
