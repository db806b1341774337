import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../compile.ts";
import { createMemoryHost } from "../phases/source/index.ts";

// A warning about a tool list can be silenced at the import, because the operator cannot change the list.

const FOLDER = new URL("pages/limit-unchecked/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), "utf8");

const REASON = "the server checks its own patterns";

async function told(comment: string, code = "limit-unchecked", lock = read("cap.lock")) {
  const page = read("bad.cap").replace(
    "  use mcp",
    `${comment === "" ? "" : `  // capc: allow ${code} because "${comment}"\n`}  use mcp`,
  );
  const host = createMemoryHost({ "system.cap": page, "cap.lock": lock, "limits.json": read("limits.json") });
  const { diagnostics, advice, silenced } = await compile(host, "system.cap", { purpose: "check" });
  const codes = [...diagnostics, ...advice]
    .map((each) => each.code)
    .filter((each) => /^(limit|silence|import-not)/.test(each));
  return { codes, silenced: silenced.map(({ diagnostic, reason }) => `${diagnostic.code}: ${reason}`) };
}

test("an argument limit that the gate does not check is reported if no comment allows it", async () => {
  const { codes, silenced } = await told("");
  expect(new Set(codes)).toEqual(new Set(["limit-unchecked"]));
  expect(silenced).toEqual([]);
});

test("a comment at the import silences the warning with its reason, and counts as used", async () => {
  const { codes, silenced } = await told(REASON);
  expect(codes).toEqual([]);
  expect(new Set(silenced)).toEqual(new Set([`limit-unchecked: ${REASON}`]));
});

test("a comment whose reason has no words silences nothing", async () => {
  expect((await told("-")).codes).toContain("limit-unchecked");
});

test("a comment about another warning silences nothing, and is reported as unused", async () => {
  const { codes } = await told(REASON, "tool-left-out");
  expect(new Set(codes)).toEqual(new Set(["limit-unchecked", "silence-unused"]));
});

test("an error of an import cannot be silenced", async () => {
  const { codes: pinned } = await told(REASON, "import-not-pinned");
  expect(new Set(pinned)).toEqual(new Set(["limit-unchecked", "silence-unused"]));
  const nothing = JSON.stringify({ imports: {}, version: 1 });
  const { codes, silenced } = await told(REASON, "import-not-pinned", nothing);
  expect(codes).toContain("import-not-pinned");
  expect(silenced).toEqual([]);
});
