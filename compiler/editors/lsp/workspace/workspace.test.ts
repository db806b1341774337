import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { compile } from "../../../compile.ts";
import { findActions } from "../features/actions.ts";
import { computeColours } from "../features/colours.ts";
import { computeCompletion } from "../features/completion/completion.ts";
import { findDefinitions, findReferences } from "../features/definition.ts";
import { findFoldings } from "../features/folding.ts";
import { computeFormatting } from "../features/formatting.ts";
import { computeHints } from "../features/hints.ts";
import { createHover } from "../features/hover.ts";
import { findRenamable } from "../features/rename.ts";
import { listSymbols } from "../features/symbols.ts";
import { createNames } from "../places.ts";
import type { PositionContext } from "../position-context.ts";
import type { Snapshot } from "../snapshot.ts";
import { folderOf, PEOPLE, ROOT } from "../testing/pages.ts";
import { NO_FILES, readText, textOfPage } from "../testing/snapshots.ts";
import { type Compile, System } from "./system.ts";
import { Workspace } from "./workspace.ts";

const CHECKOUT = fileURLToPath(new URL("../../../..", import.meta.url));
const EXAMPLES = globSync("examples/*/system.cap", { cwd: CHECKOUT }).sort();
const NAMES = createNames(() => undefined);
const folder = folderOf();
afterAll(() => folder.remove());

function newWorkspace(): Workspace {
  return new Workspace(
    () => {},
    (error) => {
      throw error;
    },
  );
}

function write(workspace: Workspace, path: string, text: string, version = 1): void {
  workspace.writeDocument(path, TextDocument.create(`file://${path}`, "cap", version, text));
}

function told({ diagnostics, namings, trees, fileOf }: Snapshot): string {
  const found = diagnostics.map(({ code, severity, message, span: { source, start, end } }) => [
    code,
    severity,
    message,
    fileOf(source),
    start,
    end,
  ]);
  const named = [...trees.values()].map(({ source }) =>
    namings.inFile(source.path).map(({ what, id, span }) => [what, id, span.start]),
  );
  return JSON.stringify([found, named]);
}

/** An edit: its offset in the text, the number of removed characters, and the inserted text. */
const anyEdit = fc.tuple(
  fc.nat(10_000),
  fc.nat(12),
  fc.constantFrom("", " ", "\n", "{", "}", '"', "auto ", "notes.", "😀", "session x {", "// a\n", "readOnly", "use "),
);

function edited(text: string, [place, length, words]: readonly [number, number, string]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + words + text.slice(at + length);
}

test("the result after any edits equals a fresh compilation", async () => {
  const edits = fc.array(fc.tuple(fc.constantFrom("system.cap", "people.cap"), anyEdit), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      const workspace = newWorkspace();
      const texts = new Map([
        [folder.file("system.cap"), ROOT],
        [folder.file("people.cap"), PEOPLE],
      ]);
      for (const [path, text] of texts) write(workspace, path, text);
      for (const [name, edit] of all) {
        const path = folder.file(name);
        const text = edited(texts.get(path) ?? "", edit);
        texts.set(path, text);
        write(workspace, path, text);
        // Some edits arrive before the previous text is compiled.
        if (edit[0] % 2 === 0) await workspace.takeSnapshots(path);
      }
      const snapshots = await workspace.takeSnapshots(folder.file("system.cap"));
      const fresh = await new System(folder.file("system.cap"), (path) => texts.get(path), compile).takeSnapshot();
      const [first, ...others] = snapshots.map(told);
      expect(others).toEqual([]);
      expect(first === told(fresh)).toBe(true);
    }),
    { numRuns: 12 },
  );
});

test("an edit during the first compilation of a page is not lost", async () => {
  let edit = (): void => {};
  const edited: Compile = async (host, path, options) => {
    const compiled = await compile(host, path, options);
    edit();
    return compiled;
  };
  const results: Snapshot[] = [];
  const workspace = new Workspace(
    (snapshots) => results.push(...snapshots),
    (error) => {
      throw error;
    },
    edited,
  );
  const path = folder.file("system.cap");
  write(workspace, path, ROOT);
  edit = () => {
    edit = () => {};
    write(workspace, path, ROOT.replace("auto      readOnly", "auto      readOnyl"), 2);
  };
  await workspace.takeSnapshots(path);
  expect(results.at(-1)?.diagnostics.map(({ code }) => code)).toContain("unknown-name");
});

test("every request has an answer after random edits of every example", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...EXAMPLES),
      fc.array(anyEdit, { minLength: 1, maxLength: 4 }),
      fc.nat(10_000),
      async (path, edits, place) => {
        const file = `${CHECKOUT}${path}`;
        const text = edits.reduce(edited, textOfPage(path));
        const workspace = newWorkspace();
        write(workspace, file, text);
        const [snapshot] = await workspace.takeSnapshots(file);
        const tree = snapshot?.trees.get(file);
        const offset = place % (text.length + 1);
        const page = readText(text, file);
        await computeCompletion(page, offset, snapshot, NO_FILES);
        await computeFormatting(page);
        findFoldings(page.scanned);
        if (snapshot === undefined || tree === undefined) return;
        await askAll({ snapshot, tree, offset });
      },
    ),
    { numRuns: 25 },
  );
});

async function askAll(asked: PositionContext): Promise<void> {
  const whole = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };
  createHover(asked);
  findDefinitions(asked, NAMES);
  findReferences(asked, NAMES, "included");
  findRenamable(asked);
  await findActions(asked, { range: whole, only: undefined, told: [] }, NAMES);
  await findActions(asked, { range: whole, only: ["source.fixAll"], told: [] }, NAMES);
  computeHints(asked, whole);
  computeColours(asked);
  listSymbols(asked.tree);
}

test("a page belongs to the root page that uses it, even if it is created later, and an unused page is its own root page", async () => {
  const path = folder.file("extra.cap");
  const workspace = newWorkspace();
  write(workspace, folder.file("people.cap"), PEOPLE);
  expect((await workspace.takeSnapshots(folder.file("people.cap"))).map(({ root }) => root)).toEqual([
    folder.file("system.cap"),
  ]);
  write(workspace, path, "category spare : readOnly\n");
  expect((await workspace.takeSnapshots(path)).map(({ root }) => root)).toEqual([path]);
  write(workspace, folder.file("system.cap"), ROOT.replace("use std.tools", 'use std.tools\n  use "./extra.cap"'));
  const snapshots = await workspace.takeSnapshots(path);
  expect(snapshots.map(({ root }) => root)).toEqual([folder.file("system.cap")]);
  expect(snapshots[0]?.diagnostics.map(({ code }) => code)).toContain("category-unused");
  workspace.closeDocument(folder.file("system.cap"));
  workspace.closeDocument(folder.file("people.cap"));
  expect((await workspace.takeSnapshots(path)).map(({ root }) => root)).toEqual([path]);
});

test("a page that fails by a defect of capc does not affect others, and works again when it is changed", async () => {
  const bad = folder.file("bad.cap");
  const throwing: Compile = (host, path, options) => {
    if (path === bad && texts.get(bad) === "broken\n") throw new Error("ours");
    return compile(host, path, options);
  };
  const told: { codes: unknown[]; failed: readonly string[] }[] = [];
  const defects: unknown[] = [];
  const texts = new Map<string, string>();
  const workspace = new Workspace(
    (snapshots, failed) =>
      told.push({ codes: snapshots.flatMap((one) => one.diagnostics.map(({ code }) => code)), failed }),
    (error) => defects.push(error),
    throwing,
  );
  const type = (path: string, text: string) => {
    texts.set(path, text);
    write(workspace, path, text);
  };
  type(bad, "broken\n");
  type(folder.file("system.cap"), ROOT.replace("boot operator", "boot nobody"));
  expect((await workspace.takeSnapshots(folder.file("system.cap"))).map(({ root }) => root)).toEqual([
    folder.file("system.cap"),
  ]);
  expect(told.at(-1)).toEqual({ codes: expect.arrayContaining(["unknown-name"]), failed: [bad] });
  expect(defects).toEqual([new Error("ours")]);
  await expect(workspace.takeSnapshots(bad)).rejects.toThrow("ours");
  type(bad, "category spare : readOnly\n");
  expect((await workspace.takeSnapshots(bad)).map(({ root }) => root)).toEqual([bad]);
  expect(told.at(-1)?.failed).toEqual([]);
});

test("two pages that use each other have one root, which reports the cycle", async () => {
  const workspace = newWorkspace();
  write(workspace, folder.file("a.cap"), 'use "./b.cap"\n');
  write(workspace, folder.file("b.cap"), 'use "./a.cap"\n');
  const snapshots = await workspace.takeSnapshots(folder.file("a.cap"));
  expect(snapshots.length).toBeGreaterThan(0);
  expect(snapshots[0]?.diagnostics.map(({ code }) => code)).toContain("import-cycle");
});

test("importers see the unsaved text of an open schema", async () => {
  const workspace = newWorkspace();
  const file = `${CHECKOUT}examples/capnp-tools/system.cap`;
  const schema = textOfPage("examples/capnp-tools/ledger.capnp");
  write(workspace, file, textOfPage("examples/capnp-tools/system.cap"));
  const codes = async () => (await workspace.takeSnapshots(file))[0]?.diagnostics.map(({ code }) => code);
  expect(await codes()).not.toContain("import-changed");
  write(workspace, `${CHECKOUT}examples/capnp-tools/ledger.capnp`, `${schema}\n# changed\n`);
  expect(await codes()).toContain("import-changed");
});
