// Tests changes on a disk that refuses one operation, or refuses one operation and all later ones. The tests also cover a directory that
// is full. A change that is reported as refused has no effect. Older entries remain, also after a restart. If the directory is full,
// removing entries frees space.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { renderFactsPage } from "../../compiler/dev/fixtures/facts.ts";
import { type Call, programOf } from "./called.ts";

const PAGE = renderFactsPage({ services: "service facts : Memory { state 1 MiB }" });
const SMALL_BYTES = 128 * 1024;
const SMALL = renderFactsPage({ services: "service facts : Memory { state 128 KiB }" });
const FIXTURE = fileURLToPath(new URL("testing/refused.fixture.ts", import.meta.url));
const SOURCE = fileURLToPath(new URL("testing/refuse.c", import.meta.url));
const MEMORY = fileURLToPath(new URL("memory.js", import.meta.url));

const built = mkdtempSync(join(tmpdir(), "capos-refuse-"));
const PRELOADED = join(built, "refuse.so");
let folder = "";

beforeAll(() => {
  const { stderr } = spawnSync("gcc", ["-shared", "-fPIC", "-O1", "-o", PRELOADED, SOURCE, "-ldl"], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
});
afterAll(() => rmSync(built, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capos-refused-"));
  mkdirSync(join(folder, "begun"));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Recalled {
  readonly entries: readonly { readonly id: string }[];
}

interface Told {
  readonly step: number;
  readonly refused: number;
  readonly answer: unknown;
  readonly later: Recalled;
}

type Named = readonly [method: string, args: object];

const begun = () => join(folder, "begun");
const memory = (directory: string) => programOf(PAGE, { directory });
const idsIn = (recalled: unknown) => (recalled as Recalled).entries.map(({ id }) => id);
const RECALL: Named = ["recall", { query: "t" }];

/**
 * Repeats a call; each time, the disk refuses a different step of the call. Returns, for each repetition, the answer
 * and the stored entries. In the last repetition no step is refused.
 */
function refusedAt(more: "" | "+", call: Named): readonly Told[] {
  const words = [FIXTURE, MEMORY, folder, begun(), more, JSON.stringify(call), JSON.stringify(RECALL)];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", env: { LD_PRELOAD: PRELOADED } });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const NO_ROOM = "there is no room left on the disk, or in the state that the page gives";
/** Answers that state that nothing was changed. */
const REFUSALS = [NO_ROOM, /^the disk failed: /, /^what was remembered cannot be read: /];

function isRefusal(answer: unknown): boolean {
  return (
    typeof answer === "string" &&
    REFUSALS.some((words) => (typeof words === "string" ? words === answer : words.test(answer)))
  );
}

test.each<readonly [string, Named, readonly string[], readonly string[]]>([
  ["a call that stores the first entry", ["store", { topic: "t", content: "one" }], [], ["m1"]],
  ["a call that stores a second entry", ["store", { topic: "t", content: "two" }], ["m1"], ["m2", "m1"]],
  ["a call that forgets an entry", ["forget", { id: "m1" }], ["m1"], []],
])(
  "if the disk refuses any one step of %s, the change is complete or absent, as the answer states",
  async (_, call, before, after) => {
    const first = await memory(begun());
    if (before.length > 0) await first("store", { topic: "t", content: "one" });
    const told = refusedAt("", call);
    expect(told.length).toBeGreaterThan(20);
    for (const { step, answer, later } of told) {
      const ids = isRefusal(answer) ? before : after;
      const isTrue =
        isRefusal(answer) ||
        typeof answer === "object" ||
        /^it is done, and a crash may undo it: /.test(String(answer));
      expect([step, answer, isTrue, idsIn(later)]).toEqual([step, answer, true, ids]);
      expect([step, idsIn(await (await memory(join(folder, `${step}-`)))(...RECALL))]).toEqual([step, ids]);
    }
    expect(typeof told.at(-1)?.answer).toBe("object");
  },
  120_000,
);

test("if the disk refuses one step and all later steps, older entries survive and a change is complete or absent", async () => {
  await (await memory(begun()))("store", { topic: "t", content: "one" });
  const told = refusedAt("+", ["store", { topic: "t", content: "two" }]);
  for (const { step, answer } of told) {
    const ids = idsIn(await (await memory(join(folder, `${step}-`)))(...RECALL));
    expect([step, ids]).toEqual([step, isRefusal(answer) ? ["m1"] : ["m2", "m1"]]);
  }
  expect(told.length).toBeGreaterThan(20);
});

/** Stores entries of this length until there is no space left, and returns how many were stored. */
async function filled(call: Call, length: number): Promise<number> {
  for (let stored = 0; ; stored += 1) {
    const content = Array.from({ length }, (_, at) => `${stored * 31 + at * 17}`).join(" ");
    const answer = await call("store", { topic: `t${stored}`, content: content.slice(0, length) });
    if (typeof answer !== "string") continue;
    expect(answer).toBe(`the program failed: ${NO_ROOM}`);
    return stored;
  }
}

test.each([400, 1500])(
  "entries of %i characters use at most the page's `state`, and each of them can be forgotten",
  async (length) => {
    const directory = begun();
    const call = await programOf(SMALL, { directory });
    const bytes = () => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    const stored = await filled(call, length);
    expect([stored > 5, bytes() <= SMALL_BYTES]).toEqual([true, true]);
    for (let id = 1; id <= stored; id += 1) {
      expect([id, await call("forget", { id: `m${id}` })]).toEqual([id, {}]);
      expect(bytes()).toBeLessThanOrEqual(SMALL_BYTES);
    }
    expect(await call("recall", { query: "17" })).toMatchObject({ entries: [] });
    // The space that was freed can be used again.
    expect(await filled(call, length)).toBeGreaterThanOrEqual(stored / 2);
    const [{ id }] = ((await call("recall", { query: "t3" })) as Recalled).entries as [{ id: string }];
    expect([await call("forget", { id }), idsIn(await call("recall", { query: "t3" }))]).toEqual([{}, []]);
  },
);
