import { createHash as createNodesHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { createAnswerer } from "./answers.ts";
import { createHash } from "./digests.ts";
import { createFile, isMakeable, isProjectPath } from "./files.ts";
import { createMatrix } from "./matrix.ts";
import { type Request, ROOT } from "./protocol.ts";
import { standardHost } from "./standard-host.ts";
import { findLeftOut, leftOut } from "./unavailable.ts";

const FIRST = readFileSync(fileURLToPath(new URL("page/first.cap", import.meta.url)), "utf8");
const draft = (text: string, revision = 1) => ({ revision, text, beside: [], today: "2026-01-01" });
const answer = createAnswerer();
const ASKED = { session: "operator", tool: "notes.write", unattended: false };

test("the page that the playground shows first is formatted, and has no findings and a cell with two modes", async () => {
  const looked = await answer({ kind: "look", draft: draft(FIRST) });
  expect(looked).toMatchObject({ kind: "looked", findings: [], matrix: { left: { places: 0, tools: 0 } } });
  expect(looked.kind === "looked" && looked.matrix?.rows.find(({ tool }) => tool === "notes.write")?.cells).toEqual([
    { mode: "consent", strictest: "forbidden" },
    { mode: "forbidden", strictest: undefined },
  ]);
  expect(await answer({ kind: "format", file: ROOT, text: FIRST })).toEqual({ kind: "formatted", text: FIRST });
});

test("each finding has the name of its file and a range in this file", async () => {
  const text = `use "./other.cap"\n${FIRST.replace("session visitor", "sesion visitor")}`;
  const beside = [{ path: "other.cap", bytes: new TextEncoder().encode("sytem") }];
  const looked = await answer({ kind: "look", draft: { ...draft(text), beside } });
  const findings = looked.kind === "looked" ? looked.findings : [];
  const at = text.indexOf("sesion");
  expect(findings).toContainEqual(
    expect.objectContaining({
      range: { file: ROOT, from: at, to: at + 6 },
      fix: { file: ROOT, from: at, to: at + 6, insert: "session" },
    }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ place: "other.cap:1:1", range: { file: "other.cap", from: 0, to: 5 } }),
  );
  expect(looked).toMatchObject({ matrix: undefined });
  expect(await answer({ kind: "why", draft: draft(text), question: ASKED })).toMatchObject({
    lines: ["the page has errors"],
  });
  expect(await answer({ kind: "format", file: ROOT, text })).toEqual({ kind: "formatted", text: undefined });
});

test("a question about a decision is answered in lines of text, with the deciding line of the page", async () => {
  const question = { ...ASKED, arguments: '{"content": "x", "path": "/locked/a"}' };
  const told = await answer({ kind: "why", draft: draft(FIRST, 3), question });
  const { lines, rule } = told.kind === "explained" ? told : { lines: [], rule: undefined };
  expect(lines[0]).toMatch(/^notes\.write .*: refusedByPolicy$/);
  expect(FIRST.slice(rule?.from, rule?.to)).toContain("Files.write");
  const lost = await answer({ kind: "why", draft: draft(FIRST, 3), question: { ...ASKED, label: "none" } });
  expect(lost).toMatchObject({ kind: "explained", rule: undefined });
});

/** Returns the offset after a part of the page's text. */
const behind = (text: string, part: string): number => text.indexOf(part) + part.length;

test("words that fit at a place come from the language server, with the documentation of the last checked page", async () => {
  const ask = createAnswerer();
  const text = FIRST.replace("forbidden destructive", "forbidden notes.");
  const at = behind(text, "forbidden notes.");
  const question = { kind: "complete", file: ROOT, text, offset: at } as const;
  expect(await ask(question)).toMatchObject({ kind: "completed", items: [] });
  await ask({ kind: "look", draft: draft(FIRST) });
  const told = await ask(question);
  expect(told).toMatchObject({ kind: "completed", from: at, isIncomplete: false });
  const items = told.kind === "completed" ? told.items : [];
  expect(items.map(({ label }) => label)).toEqual(["read", "list", "write", "delete"]);
  expect(items[0]?.documentation).toContain("method of Files `read`");
  const word = behind(FIRST, "    models { au");
  expect(await ask({ kind: "complete", file: ROOT, text: FIRST, offset: word })).toMatchObject({
    from: word - 2,
    items: [{ label: "auto", type: "keyword" }],
  });
});

test("paths in quotes are completed with the files of the last checked project", async () => {
  const ask = createAnswerer();
  const beside = ["keys/alice.pub", "gh.tools.json", "more/other.cap"].map((path) => ({
    path,
    bytes: new Uint8Array(),
  }));
  await ask({ kind: "look", draft: { ...draft(FIRST), beside } });
  const complete = async (file: string, text: string) => {
    const told = await ask({ kind: "complete", file, text, offset: text.length });
    return told.kind === "completed" ? told.items.map((item) => item.text) : [];
  };
  expect(await complete(ROOT, 'use mcp "')).toEqual(['gh.tools.json"', "keys/", "more/"]);
  expect(await complete(ROOT, 'principal a { ssh "keys/')).toEqual(['alice.pub"']);
  expect(await complete("more/other.cap", 'use "../')).toEqual(['system.cap"', "keys/", "more/"]);
});

test("a question about the checked draft does not compile it again", async () => {
  const ask = createAnswerer();
  await ask({ kind: "look", draft: draft(FIRST) });
  // The request states a revision that is already compiled, so the text in the request is not read.
  const told = await ask({ kind: "why", draft: draft("system", 1), question: ASKED });
  expect(told).toMatchObject({
    kind: "explained",
    lines: expect.arrayContaining([expect.stringMatching(/^notes\.write/)]),
  });
  expect(await ask({ kind: "why", draft: draft("system", 2), question: ASKED })).toMatchObject({
    lines: ["the page has errors"],
  });
});

test("a hover equals the hover of the language server, and never describes an older text", async () => {
  const ask = createAnswerer();
  const at = FIRST.indexOf("Files.write") + "Files.".length;
  const hoverIn = (text: string, revision: number, offset = at): Request => {
    return { kind: "hover", draft: draft(text, revision), file: ROOT, offset };
  };
  await ask({ kind: "look", draft: draft(FIRST) });
  const known = await ask(hoverIn(FIRST, 1));
  expect(known).toMatchObject({ kind: "hovered", hover: { range: { file: ROOT, from: at, to: at + 5 } } });
  expect(known.kind === "hovered" && known.hover?.text).toContain("`operator`: **consent**");
  const text = FIRST.replace(/forbidden Files.write where.*/, "auto      Files.write").replace(
    "10 prompts per turn",
    "",
  );
  const newer = await ask(hoverIn(text, 2));
  expect(newer.kind === "hovered" && newer.hover?.text).toContain("`operator`: **auto**");
  expect(await ask(hoverIn(FIRST, 1, 0))).toEqual({ kind: "hovered", hover: undefined });
});

test("missing files that the page names can be made, and the page then compiles", async () => {
  const text = `use "./more/other.cap"\n${FIRST.replace(
    "  /// The notes",
    '  use mcp "./gh.tools.json" as gh\n  principal alice { ssh "keys/alice.pub" }\n  /// The notes',
  )
    .replace("{ stub ", '{ stub "replies.json" ')
    .replace("kind operator", "kind operator  principals alice")}`;
  const looked = await answer({ kind: "look", draft: draft(text) });
  const findings = looked.kind === "looked" ? looked.findings : [];
  const missing = findings.flatMap(({ missing: path }) => path ?? []);
  expect(missing.sort()).toEqual(["gh.tools.json", "keys/alice.pub", "more/other.cap", "replies.json"]);
  const beside = await Promise.all(
    missing.map(async (path) => ({ path, bytes: new TextEncoder().encode(await createFile(path)) })),
  );
  const again = await answer({ kind: "look", draft: { ...draft(text), beside } });
  expect(again).toMatchObject({ kind: "looked", named: missing });
  const errors = again.kind === "looked" ? again.findings.filter(({ severity }) => severity === "error") : [];
  expect(errors).toMatchObject([{ code: "import-not-pinned", isPinning: true }]);
  const pinned = await answer({ kind: "pin", draft: { ...draft(text), beside } });
  if (pinned.kind !== "pinned" || pinned.text === undefined) throw new Error("it was not pinned");
  expect(pinned.changes).toEqual([expect.stringContaining("gh.tools.json")]);
  const locked = [...beside, { path: "cap.lock", bytes: new TextEncoder().encode(pinned.text) }];
  const last = await answer({ kind: "look", draft: { ...draft(text), beside: locked } });
  expect(last.kind === "looked" && last.matrix?.rows.map(({ tool }) => tool)).toContain("notes.read");
});

test("each new key is different, and a new text file is empty and is not offered as a missing file", async () => {
  const key = await createFile("keys/alice.pub");
  expect(key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} playground\n$/);
  expect(await createFile("keys/alice.pub")).not.toBe(key);
  expect([await createFile("a.txt"), isMakeable("a.txt"), isMakeable("a.cap")]).toEqual(["", false, true]);
});

test("paths of a project stay in its folder", () => {
  for (const path of ["system.cap", "keys/alice.pub", "a b.cap"]) expect(isProjectPath(path)).toBe(true);
  const wrong = ["", "/a", "a/", "a//b", "./a", "../a", "a/../b", "a\\b", "a\n", " a", "a".repeat(201)];
  // Invisible characters would make two tabs look alike, or turn the text of a tab around.
  wrong.push("keys/ali\u200bce.pub", "a\u202ebup.cap", "a\ufeff.cap", "a\ud800.cap", "a\ue000.cap");
  for (const path of wrong) expect(isProjectPath(path)).toBe(false);
});

test("places and tools that the matrix omits are counted", async () => {
  const { policy } = await compile(createMemoryHost({ "/page/system.cap": FIRST }), "/page/system.cap");
  if (policy === undefined) throw new Error("the page has errors");
  const tables = indexPolicyTables(policy);
  const [row] = tables.rows;
  const [tool] = tables.tools;
  if (row === undefined || tool === undefined) throw new Error("the page has no rows");
  const many = {
    ...tables,
    rows: Array.from({ length: 45 }, () => ({ ...row, task: "look", phase: "one", cells: new Array(310).fill(1) })),
    tools: Array.from({ length: 310 }, () => tool),
  };
  const { left, places, rows } = createMatrix(many);
  expect({ left, places: places.length, rows: rows.length }).toEqual({
    left: { places: 5, tools: 10 },
    places: 40,
    rows: 300,
  });
  expect(places[0]).toEqual({
    name: "operator.look.one",
    asked: { session: "operator", task: "look", phase: "one" },
  });
  expect(rows[0]?.cells[0]).toEqual({ mode: "none", strictest: undefined });
});

test("the error of a function that a browser does not have names the function, and other errors name none", () => {
  const thrown = (work: () => void): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  expect(findLeftOut(thrown(leftOut("programs of services")))).toBe("programs of services");
  expect(findLeftOut(new Error("capc defect"))).toBeUndefined();
  expect(findLeftOut("text")).toBeUndefined();
});

test("in the browser, the compiler can read the standard library, and no disk", async () => {
  const host = standardHost({ "tools.cap": "category x" })("2026-01-01");
  expect(await host.readStandard("tools.cap")).toMatchObject({ ok: true });
  const files = ["toString", "lost.cap"];
  for (const file of files) expect(await host.readStandard(file)).toMatchObject({ ok: false });
  expect([await host.realPath("/a"), await host.readFile("/a", 1), await host.readHead("/a", 1)]).toEqual([
    undefined,
    { ok: false, reason: "a browser has no disk" },
    { ok: false, reason: "a browser has no disk" },
  ]);
});

test("digests equal the digests of Node", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
      const [ours, nodes] = [createHash, createNodesHash].map((make) => make("sha256").update(text).update(bytes));
      expect(ours?.digest("hex")).toBe(nodes?.digest("hex"));
    }),
  );
  expect(createHash("sha256").digest()).toEqual(createNodesHash("sha256").digest());
});
