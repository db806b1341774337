import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Range, TextEdit } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Result } from "../../../../engine/lib/result/result.ts";
import { formatFile } from "../../../../lang/format/index.ts";
import { parse } from "../../../../lang/grammar/index.ts";
import { ALICE } from "../../../dev/fixtures/facts.ts";
import { createMemoryHost } from "../../../phases/source/index.ts";
import { createNames } from "../places.ts";
import type { Snapshot } from "../snapshot.ts";
import { PEOPLE, ROOT } from "../testing/pages.ts";
import { askedAt, compiledAt, compiledInMemory, readText, textOfPage } from "../testing/snapshots.ts";
import { findActions } from "./actions.ts";
import { computeColours, LEGEND } from "./colours.ts";
import { findFoldings } from "./folding.ts";
import { computeFormatting } from "./formatting.ts";
import { computeHints } from "./hints.ts";
import { findRenamable, renameOf } from "./rename.ts";
import { listSymbols } from "./symbols.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));
const EXAMPLES = globSync("examples/*/system.cap", { cwd: CHECKOUT }).sort();
const NAMES = createNames(() => undefined);
const EVERYWHERE: Range = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

function applied(text: string, edits: readonly TextEdit[]): string {
  return TextDocument.applyEdits(TextDocument.create("file:///a.cap", "cap", 1, text), [...edits]);
}

test.each(EXAMPLES)("formatting %s gives the same text as `capc fmt`, whatever blanks the text had", async (path) => {
  const page = textOfPage(path);
  const wide = page.replace(/(?<=\S) (?=\S)/g, "   ").replace(/\n/g, "  \n\n");
  for (const text of [page, wide, page.replaceAll("\n", "\r\n")]) {
    const { source } = readText(text);
    const formatted = await formatFile(source);
    expect(applied(text, await computeFormatting(readText(text)))).toBe(formatted.ok ? formatted.value : "no form");
  }
});

test("formatting a range changes nothing outside of it, and a page with a syntax error is left alone", async () => {
  const text = "system a {\n  use   std.tools\n  use   std.profiles\n}\n";
  const line = { start: { line: 1, character: 0 }, end: { line: 1, character: 9 } };
  expect(applied(text, await computeFormatting(readText(text), line))).toBe(
    text.replace("use   std.tools", "use std.tools"),
  );
  expect(await computeFormatting(readText("system a {\n   use }"))).toEqual([]);
});

test("a fix is offered at its finding, and a guess is not preferred", async () => {
  const text = ROOT.replace("consent   mutatingLocal", "consent   mutatingLocl");
  const snapshot = await compiledInMemory(text);
  const asked = askedAt(snapshot, "mutatingLocl");
  const line = text.split("\n").findIndex((each) => each.includes("mutatingLocl"));
  const range = { start: { line, character: 0 }, end: { line, character: 4 } };
  const wish = { range, only: undefined, told: [] };
  const [action, ...others] = await findActions(asked, wish, NAMES);
  expect(others).toEqual([]);
  expect(action).toMatchObject({
    title: "Write `mutatingLocal` for `mutatingLocl` (unknown-name)",
    isPreferred: false,
  });
  expect(applied(text, action?.edit?.changes?.["file:///system.cap"] ?? [])).toBe(ROOT);
  expect(await findActions(asked, { ...wish, only: ["refactor"] }, NAMES)).toEqual([]);
  expect(await findActions(askedAt(await compiledInMemory(), "system"), wish, NAMES)).toEqual([]);
});

test("fixing a whole page applies only fixes that are certain, and no guess", async () => {
  const fixedAll = async (text: string) => {
    const asked = askedAt(await compiledInMemory(text), "{");
    const actions = await findActions(asked, { range: EVERYWHERE, only: ["source.fixAll"], told: [] }, NAMES);
    return applied(text, actions[0]?.edit?.changes?.["file:///system.cap"] ?? []);
  };
  expect(await fixedAll(ROOT.replace("image", "imge"))).toBe(ROOT);
  expect(await fixedAll(`${ROOT}/// Said of nothing.\n`)).toBe(`${ROOT}// Said of nothing.\n`);
  const left = ["consent   mutatingLocl", "consnt   mutatingLocal", "consent   notes., "].map((line) =>
    ROOT.replace("consent   mutatingLocal", line),
  );
  for (const text of left) expect(await fixedAll(text)).toBe(text);
});

test("a hint shows the final decision about the tools of a line", async () => {
  const text = ROOT.replace("forbidden notes.delete }", "auto notes.list  forbidden Files.delete }");
  const asked = askedAt(await compiledInMemory(text), "system");
  const hints = computeHints(asked, EVERYWHERE).map(({ position, label }) => {
    const line = text.split("\n")[position.line] ?? "";
    return `${line.slice(0, position.character).trim()} → ${label}`;
  });
  expect(hints).toEqual([
    "auto      readOnly → 4 auto: drafts.list, drafts.read and 2 more",
    "consent   mutatingLocal → 2 consent: drafts.write, notes.write",
    "stepUp    destructive → 2 stepUp: drafts.delete, notes.delete",
    "forbidden notes.write → consent",
    "session night extends operator { login key  permit { auto notes.list  forbidden Files.delete → 2 forbidden: drafts.delete, notes.delete",
    "phase look { only readOnly → 4 auto: drafts.list, drafts.read and 2 more",
    "phase mend after consent { only readOnly → 4 auto: drafts.list, drafts.read and 2 more",
    "phase mend after consent { only readOnly, notes.write → consent",
  ]);
});

test("a hint behind a widening or `suppress` names tools that the line affects, and its tooltip lists all of them", async () => {
  const text = ROOT.replace(
    "forbidden notes.delete }",
    'forbidden notes.delete }  widen { auto mutatingLocal } because "x"  suppress Files.list',
  );
  const hints = computeHints(askedAt(await compiledInMemory(text), "system"), EVERYWHERE);
  const labels = hints.map(({ label }) => label);
  expect(labels).toContain("2 auto: drafts.write, notes.write");
  expect(labels).toContain("2 unknownTool: drafts.list, notes.list");
  const tooltips = hints.map(({ tooltip }) => (typeof tooltip === "object" ? tooltip.value : ""));
  expect(tooltips).toContain("- `drafts.write`: **auto**\n- `notes.write`: **auto**");
});

test("the symbols of a page are the tree of its declarations", async () => {
  const { tree } = await parse(readText(ROOT).source);
  const [system] = listSymbols(tree);
  expect(system?.name).toBe("house");
  expect(system?.children?.map(({ name, detail }) => `${detail} ${name}`)).toEqual([
    "service notes",
    "service drafts",
    "backend canned",
    "session operator",
    "session night",
    "task triage",
    "test two steps",
  ]);
  expect(system?.children?.[5]?.children?.map(({ name }) => name)).toEqual(["look", "mend"]);
});

test("blocks and comments of several lines are foldable", () => {
  const text = "// a\n// b\nsystem a {\n  session b {\n    kind operator\n  }\n  use std.tools }\n";
  expect(findFoldings(readText(text).scanned)).toEqual([
    { startLine: 3, endLine: 4 },
    { startLine: 2, endLine: 5 },
    { startLine: 0, endLine: 1, kind: "comment" },
  ]);
});

test("names are coloured by their kind, in the order of the page and without overlaps", async () => {
  const asked = askedAt(await compiledInMemory(), "system");
  const { data } = computeColours(asked);
  const lines = ROOT.split("\n");
  const found: string[] = [];
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
    line += down;
    column = down === 0 ? column + right : right;
    found.push(`${lines[line]?.slice(column, column + length)} ${LEGEND.tokenTypes[type]}`);
  }
  expect(found).toEqual(
    expect.arrayContaining([
      "notes variable",
      "Files interface",
      "operator class",
      "readOnly enum",
      "write method",
      "hr enumMember",
      "mend event",
    ]),
  );
});

const trial = async (_: string, texts: ReadonlyMap<string, string>): Promise<Snapshot> =>
  compiledAt(
    createMemoryHost({ "/system.cap": ROOT, "/people.cap": PEOPLE, "/alice.pub": ALICE, ...Object.fromEntries(texts) }),
    "/system.cap",
  );

async function renamed(words: string, into: number, newName: string, root = ROOT): Promise<string | undefined> {
  const snapshot = await compiledInMemory(root);
  const found = await renameOf(askedAt(snapshot, words, into), { snapshots: [snapshot], newName, names: NAMES, trial });
  if (!found.ok) return found.reason;
  const changes = found.value.changes ?? {};
  return Object.entries({ "file:///system.cap": root, "file:///people.cap": PEOPLE })
    .map(([uri, text]) => applied(text, changes[uri] ?? []))
    .join("");
}

test.each([
  ["a service", "service notes", 9, "papers", /\bnotes\b(?! lie)/g],
  ["a session", "session operator", 9, "chief", /(?<!kind )\boperator\b/g],
  ["a task", "task triage", 6, "look-around", /\btriage\b/g],
  ["a phase", "phase mend", 7, "repair", /\bmend\b/g],
  ["a principal of another page", "principals alice", 12, "ada", /\balice\b(?!\.pub)/g],
  ["a backend", "auto canned", 6, "recorded", /\bcanned\b/g],
  ["a compartment", "{ hr }", 2, "people", /\bhr\b/g],
  ["a level", "< secret }", 2, "restricted", /\bsecret\b/g],
  ["a level of a label", "secret:{hr}", 0, "restricted", /\bsecret\b/g],
  ["the service of a tool", "forbidden notes.write", 11, "papers", /\bnotes\b(?! lie)/g],
])("renaming %s changes every place that uses the name", async (_, words, into, newName, places) => {
  expect(await renamed(words, into, newName)).toBe((ROOT + PEOPLE).replaceAll(places, newName));
});

test.each([
  ["the declaration", "service notes", 9],
  ["`exits`", "exits notes", 7],
  ["`restart`", '"notes on-failure', 3],
])("renaming a service at %s changes it in `exits` and in the texts of `restart`", async (_, words, into) => {
  const image = 'image { target capos  boot operator  restart "notes on-failure", "drafts always"  exits notes }';
  const root = ROOT.replace(/image \{.*\}/, image);
  expect(await renamed(words, into, "papers", root)).toBe((root + PEOPLE).replaceAll(/\bnotes\b(?! lie)/g, "papers"));
});

const REFUSED = {
  "a name that is in use": { at: "service notes", into: 9, newName: "drafts", reason: "duplicate-name" },
  "a keyword": { at: "service notes", into: 9, newName: "auto", reason: "is a word of the language" },
  "no name": { at: "service notes", into: 9, newName: "a b", reason: "is no name" },
  "an empty name": { at: "service notes", into: 9, newName: "", reason: "is no name" },
  "a service name with a capital": { at: "service notes", into: 9, newName: "Notes", reason: "wrong-case" },
  "a name from a schema": { at: "notes.write where", into: 8, newName: "put", reason: "has its name from a schema" },
  "a declaration of the library": {
    at: "readOnly\n",
    into: 2,
    newName: "reading",
    reason: "is the standard library's",
  },
  "a keyword of the language": { at: "permit {", into: 2, newName: "allow", reason: "nothing is named here" },
} as const;

test.each(Object.entries(REFUSED))(
  "renaming with %s is refused with a reason",
  async (_, { at, into, newName, reason }) => {
    expect(await renamed(at, into, newName)).toContain(reason);
  },
);

test("an element that cannot be renamed is refused before a name is typed", async () => {
  const snapshot = await compiledInMemory();
  const reasonOf = (found: Result<Range>): string => (found.ok ? "may" : found.reason);
  expect(reasonOf(findRenamable(askedAt(snapshot, "service notes", 9)))).toBe("may");
  expect(reasonOf(findRenamable(askedAt(snapshot, ": Files", 3)))).toContain("has its name from a schema");
  expect(reasonOf(findRenamable(askedAt(snapshot, "version", 1)))).toBe("nothing is named here");
});

test("renaming to a random name is refused or changes every use", async () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/);
  await fc.assert(
    fc.asyncProperty(name, async (newName) => {
      const found = (await renamed("service notes", 9, newName)) ?? "";
      expect(found.startsWith("/// A house.") ? found.includes(`service ${newName} : Files`) : found.length > 0).toBe(
        true,
      );
    }),
    { numRuns: 15 },
  );
});
