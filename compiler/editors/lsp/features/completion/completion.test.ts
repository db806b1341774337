import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { getText } from "../../../../../lang/text/index.ts";
import { ROOT } from "../../testing/pages.ts";
import { compiledHere, compiledInMemory, NO_FILES, readText } from "../../testing/snapshots.ts";
import { computeCompletion } from "./completion.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../../", import.meta.url));
const PAGES = ["lang/spec/whole-page.cap", ...globSync("examples/*/system.cap", { cwd: CHECKOUT }).sort()];

test.each(PAGES)("at each place where %s uses a known name, completion offers this name", async (path) => {
  const snapshot = await compiledHere(path);
  const tree = snapshot.trees.get(snapshot.root);
  const text = tree?.source.text ?? "";
  const uses = snapshot.namings.inFile(tree?.source.path ?? "").filter(({ declares, what, span }) => {
    // Within quotes, completion offers only paths.
    const isInQuotes = getText(span).startsWith('"') || text[span.start - 1] === '"';
    return !declares && !what.startsWith("argument of ") && !isInQuotes;
  });
  const missing: string[] = [];
  for (const { span, what } of uses) {
    const name = getText(span);
    const { items } = await computeCompletion(readText(text), span.start, snapshot, NO_FILES);
    const last = name.split(".")[0] ?? "";
    if (!items.some(({ label }) => label === name || label.startsWith(last)))
      missing.push(`${what} ${name} at ${span.start}`);
  }
  expect(missing).toEqual([]);
  expect(uses.length).toBeGreaterThan(10);
});

/** Returns the labels that completion offers at the `|` of the text. */
async function offered(text: string): Promise<readonly string[]> {
  const at = text.indexOf("|");
  const { items } = await computeCompletion(readText(text.replace("|", "")), at, await compiledInMemory(), NO_FILES);
  return items.map(({ label }) => label);
}

test.each([
  ["keywords of a session", "permit {\n      auto", "|permit {\n      auto", ["clearance", "permit", "quota", "when"]],
  ["keywords with the typed prefix", "kind operator  principals", "ki|  principals", ["kind"]],
  ["session kinds", "kind operator  principals", "kind |  principals", ["operator", "guest", "anonymous", "service"]],
  ["principals", "principals alice", "principals |", ["alice"]],
  [
    "categories and services",
    "auto      readOnly",
    "auto      |",
    ["readOnly", "destructive", "notes", "drafts", "Files"],
  ],
  ["methods of a service", "forbidden notes.write", "forbidden notes.|", ["delete", "list", "read", "write"]],
  ["methods with the typed prefix", "forbidden notes.write", "forbidden notes.wr|", ["write"]],
  ["sessions to extend", "extends operator", "extends |", ["operator"]],
  ["compartments", "clearance secret:{hr}\n    models", "clearance secret:{|}\n    models", ["hr"]],
  ["levels", "clearance secret:{hr}\n    models", "clearance |\n    models", ["public", "internal", "secret"]],
  ["modules", "use std.tools", "use std.|", ["assertions", "categories", "lattice", "profiles", "tools"]],
  ["gates", "after consent", "after |", ["consent", "stepUp"]],
  ["tasks and sessions", "as operator.triage", "as operator.|", ["triage"]],
  [
    "sources of values",
    "forbidden notes.write",
    "consent notes.write where path from | else forbidden  forbidden notes.write",
    ["person", "pasted", "page", "untrusted", "reviewed", "notes"],
  ],
  [
    "methods with results as sources",
    "forbidden notes.write",
    "consent notes.write where path from notes.| else forbidden  forbidden notes.write",
    ["read", "list"],
  ],
  ["`inherit` among the modes", "auto      readOnly", "|auto      readOnly", ["inherit", "auto", "forbidden"]],
  ["tools of a redaction", "storage {", "redact cards label secret { from notes.| }  storage {", ["read", "list"]],
  ["scopes of a quota", "9 calls per turn", "9 calls per |", ["turn", "login", "day"]],
  [
    "scopes of a timeout",
    "quota { 9 calls per turn",
    "timeout { 5 min per | } quota { 9 calls per turn",
    ["call", "turn", "login", "idle"],
  ],
])("completion offers %s", async (_, before, after, labels) => {
  expect(ROOT).toContain(before);
  expect(await offered(ROOT.replace(before, after))).toEqual(expect.arrayContaining([...labels]));
});

test.each([
  ["a comment", "// é 😀", "// é |"],
  ["a doc comment", "/// A house", "/// A |house"],
  ["a text", '"alice', '"al|ice'],
  ["a text of a test", '"two steps"', '"two |steps"'],
  ["the place right behind a text", '"two steps"', '"two steps"|'],
  ["a number", "9 calls", "9| calls"],
])("completion offers nothing in %s", async (_, before, after) => {
  const text = `${ROOT}\nprincipal bob { ssh "alice.pub" }`;
  expect(await offered(text.replace(before, after))).toEqual([]);
});

test("a tool is offered with its description and its category", async () => {
  const text = ROOT.replace("forbidden notes.write", "forbidden notes.");
  const { items } = await computeCompletion(
    readText(text),
    text.indexOf("forbidden notes.") + 16,
    await compiledInMemory(),
    NO_FILES,
  );
  const write = items.find(({ label }) => label === "write");
  expect(JSON.stringify(write)).toMatch(/mutatingLocal.*Write a text file/);
});

test("keywords are offered before the first compilation", async () => {
  const { items } = await computeCompletion(readText("session a { per"), 15, undefined, NO_FILES);
  expect(items.map(({ label }) => label)).toEqual(["permit"]);
});
