import { createHash as createNodesHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { answer } from "./answers.ts";
import { createHash } from "./digests.ts";
import { createMatrix } from "./matrix.ts";
import { standardHost } from "./standard-host.ts";
import { findLeftOut, leftOut } from "./unavailable.ts";

const FIRST = readFileSync(fileURLToPath(new URL("page/first.cap", import.meta.url)), "utf8");
const draft = (text: string) => ({ text, beside: [], today: "2026-01-01" });
const ASKED = { session: "operator", tool: "notes.write", unattended: false };

test("the first page has no findings, its one form, and shows each kind of cell", async () => {
  const looked = await answer({ kind: "look", draft: draft(FIRST) });
  expect(looked).toMatchObject({ kind: "looked", findings: [], matrix: { left: { places: 0, tools: 0 } } });
  expect(looked.kind === "looked" && looked.matrix?.rows.find(({ tool }) => tool === "notes.write")?.cells).toEqual([
    { mode: "consent", strictest: "forbidden" },
    { mode: "forbidden", strictest: undefined },
  ]);
  expect(await answer({ kind: "format", text: FIRST })).toEqual({ kind: "formatted", text: FIRST });
});

test("findings of the page are placed in it, those of another file are named alone", async () => {
  const text = `use "./other.cap"\n${FIRST.replace("session visitor", "sesion visitor")}`;
  const beside = [{ path: "other.cap", bytes: new TextEncoder().encode("sytem") }];
  const looked = await answer({ kind: "look", draft: { ...draft(text), beside } });
  const findings = looked.kind === "looked" ? looked.findings : [];
  const at = text.indexOf("sesion");
  expect(findings).toContainEqual(
    expect.objectContaining({ range: { from: at, to: at + 6 }, fix: { from: at, to: at + 6, insert: "session" } }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({ place: "other.cap:1:1", range: undefined, fix: undefined }),
  );
  expect(looked).toMatchObject({ matrix: undefined });
  expect(await answer({ kind: "why", draft: draft(text), question: ASKED })).toMatchObject({
    lines: ["the page has errors"],
  });
  expect(await answer({ kind: "format", text })).toEqual({ kind: "formatted", text: undefined });
});

test("a question is answered in lines, with the line of the page that decided", async () => {
  const question = { ...ASKED, arguments: '{"content": "x", "path": "/locked/a"}' };
  const told = await answer({ kind: "why", draft: draft(FIRST), question });
  const { lines, rule } = told.kind === "explained" ? told : { lines: [], rule: undefined };
  expect(lines[0]).toMatch(/^notes\.write .*: refusedByPolicy$/);
  expect(FIRST.slice(rule?.from, rule?.to)).toContain("Files.write");
  const lost = await answer({ kind: "why", draft: draft(FIRST), question: { ...ASKED, label: "none" } });
  expect(lost).toMatchObject({ kind: "explained", rule: undefined });
});

test("findings beyond a page's limit are counted", async () => {
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

test("a function that is left out says which one it was, and a defect is none", () => {
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

test("a browser's world has the standard library and no disk", async () => {
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

test("digests are those of Node", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 200 }), (text, bytes) => {
      const [ours, nodes] = [createHash, createNodesHash].map((make) => make("sha256").update(text).update(bytes));
      expect(ours?.digest("hex")).toBe(nodes?.digest("hex"));
    }),
  );
  expect(createHash("sha256").digest()).toEqual(createNodesHash("sha256").digest());
});
