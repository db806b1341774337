import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  admit,
  type Conversation,
  decide,
  deriveConsentKey,
  type IndexedTables,
  openConversation,
  readTables,
} from "../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { isError } from "../../../lang/diagnostics/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import { prove } from "../../phases/prove/index.ts";
import { disagreements } from "../../phases/prove/testing/compare.ts";
import { meaningOf } from "../../phases/prove/testing/compiled.ts";
import { createDiskHost } from "../../phases/source/index.ts";
import { findFailure, runTests } from "../../queries/page-tests/index.ts";
import { testSurroundings } from "../fixtures/surroundings.ts";

const ROOM = fileURLToPath(new URL(".", import.meta.url));
const PAGES = globSync("*/*.cap", { cwd: ROOM }).sort();
const UNHEARD = { called: () => undefined, decided: () => undefined };

function textOf(page: string): string {
  return readFileSync(`${ROOM}/${page}`, "utf8");
}

/** Returns the rest of each line that begins with `// WORD: `, where WORD stands for `word`. */
function expected(page: string, word: string): string[] {
  const lines = textOf(page).split("\n");
  return lines.flatMap((line) => (line.startsWith(`// ${word}: `) ? [line.slice(word.length + 5)] : []));
}

function compiled(page: string): Promise<Compiled> {
  return compile(createDiskHost("2026-01-01"), `${ROOM}/${page}`, { ...testSurroundings, purpose: "check" });
}

function pagesOf(kind: string): string[] {
  return PAGES.filter((page) => basename(page).startsWith(kind));
}

/** Returns the policy of the page, and its tables as an image would decode them. Throws if the page has errors. */
async function meant(page: string) {
  const { policy, origins, model, diagnostics } = await compiled(page);
  if (policy === undefined || origins === undefined || model === undefined) {
    throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join("\n"));
  }
  const read = readTables(encodeMessage(PolicyTables, policy.tables));
  if (!read.ok) throw new Error(read.reason);
  return { policy, origins, model, tables: read.value };
}

test("each attack has a description and pages with expected results", () => {
  const folders = readdirSync(ROOM, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders).toHaveLength(8);
  expect(folders.map(({ name }) => name).sort()).toEqual([...new Set(PAGES.map((page) => dirname(page)))]);
  const kinds = ["refused", "refuted", "fails", "proved"].flatMap(pagesOf);
  expect(kinds.sort()).toEqual(PAGES);
  for (const { name } of folders) expect(textOf(`${name}/README.md`)).toMatch(/^Elsewhere: .{40}/ms);
});

test.each(pagesOf("refused"))("%s does not compile, and the expected reason is the only one", async (page) => {
  const { policy, diagnostics } = await compiled(page);
  expect(policy).toBeUndefined();
  expect(diagnostics.filter(isError).map(({ code }) => code)).toEqual(expected(page, "refused"));
});

test.each(pagesOf("proved"))("the assertions of %s are proved, and its tests pass", async (page) => {
  const { policy, origins, model, tables } = await meant(page);
  const proofs = prove(policy, model);
  expect(proofs.results.filter(({ verdict }) => verdict.kind !== "proved")).toEqual([]);
  expect(model.assertions.length).toBeGreaterThan(0);
  const tally = { proved: 0, refuted: 0, undetermined: 0 };
  expect(disagreements(policy, model, proofs, tally)).toEqual([]);
  expect(tally.proved).toBeGreaterThanOrEqual(model.assertions.length);
  for (const {
    test: said,
    failures: [failure],
  } of runTests(policy, origins, model).results) {
    expect(failure?.message).toBeUndefined();
    expect(findFailure(tables, said, UNHEARD)?.message).toBeUndefined();
  }
});

test.each(pagesOf("fails"))(
  "%s fails its own test with the compiled tables, and with tables decoded from an image",
  async (page) => {
    const { policy, origins, model, tables } = await meant(page);
    const failed = runTests(policy, origins, model).results.filter(({ failures }) => failures.length > 0);
    expect(failed.map(({ test: { title } }) => title)).toEqual(expected(page, "fails"));
    for (const {
      test: said,
      failures: [failure],
    } of failed)
      expect(findFailure(tables, said, UNHEARD)).toEqual(failure);
  },
);

test.each(pagesOf("refuted"))(
  "%s has a counterexample, and the gate of an image would allow its calls",
  async (page) => {
    const { policy: none, diagnostics } = await compiled(page);
    expect(none).toBeUndefined();
    const { policy, model } = await meaningOf(textOf(page), testSurroundings.described);
    // The page has no errors except those of its failed assertions.
    const assertions = model.assertions.map(({ node }) => node.span.start).sort();
    expect(
      diagnostics
        .filter(isError)
        .map(({ span }) => span.start)
        .sort(),
    ).toEqual(assertions);
    const proofs = prove(policy, model);
    const refuted = proofs.results.filter(({ verdict }) => verdict.kind === "refuted");
    const own = refuted.filter(({ inherited }) => inherited === undefined);
    expect(own.map(({ words }) => words).sort()).toEqual(
      expected(page, "refuted")
        .map((words) => `assert ${words}`)
        .sort(),
    );
    expect(disagreements(policy, model, proofs, { proved: 0, refuted: 0, undetermined: 0 })).toEqual([]);
  },
);

/** Returns the key under which consent to a call with this path is remembered. */
function rememberedFor(tables: IndexedTables, now: Conversation, tool: string, path: string): string | undefined {
  const args = JSON.stringify({ path, ...(tool.endsWith("write") ? { content: "x" } : {}) });
  const decision = decide(tables, now, { tool, arguments: args });
  if (decision.kind === "refused") throw new Error(decision.reason);
  return deriveConsentKey(tables, now, decision);
}

test("a remembered consent covers one tool, the paths of one folder and one label", async () => {
  const { tables } = await meant("remembered-permission-too-wide/proved.cap");
  const now = openConversation(tables, "operator");
  if (now === undefined) throw new Error("no operator");
  const once = rememberedFor(tables, now, "notes.write", "drafts/a");
  expect(once).toBeDefined();
  expect(rememberedFor(tables, now, "notes.write", "drafts/b")).toBe(once);
  expect(rememberedFor(tables, now, "notes.write", "reports/a")).not.toBe(once);
  expect(rememberedFor(tables, now, "diary.write", "drafts/a")).not.toBe(once);
  expect(rememberedFor(tables, now, "notes.delete", "drafts/a")).toBeUndefined();
  const read = tables.tools.findIndex(({ name }) => name === "journal.tail");
  const later = admit(tables, now, read).conversation;
  expect(rememberedFor(tables, later, "notes.write", "drafts/a")).not.toBe(once);
});
