// Tests the export of conversations as text, and the comparison of two conversations.
import { expect, test } from "vitest";
import { Shelf, saying } from "../testing/shelf.ts";
import { renderJsonLine, renderMarkdown, renderPrintableJson } from "./export.ts";

const CALL = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };
const ASSISTANT = saying(2, { role: "assistant", text: "", calls: [CALL] });
const TOOL = saying(3, { role: "tool", text: "a\r\nb", callId: "1", source: "notes.read", outcome: "timedOut" });
const SUMMARY = saying(4, { role: "assistant", text: "so far", through: 3n, saidMs: 5n });

/** Returns a store in which conversation c1 has these four sayings. */
function shelved(): Shelf {
  const shelf = new Shelf();
  shelf.sayings.set("c1", [saying(1), ASSISTANT, TOOL, SUMMARY]);
  return shelf;
}

test("markdown shows a saying as a heading with its speaker and an indented text", () => {
  expect(renderMarkdown(saying(1))).toEqual(["### 1 user", "", "    hello", ""]);
  const call = { ...CALL, arguments: '{\n"path":\r\n"a"}' };
  expect(renderMarkdown({ ...ASSISTANT, calls: [call] })).toEqual([
    ...["### 2 assistant", "", '    calls notes.read { "path": "a"}', ""],
  ]);
  expect(renderMarkdown(TOOL)).toEqual(["### 3 notes.read: timedOut", "", "    a", "    b", ""]);
  expect(renderMarkdown(saying(5, { text: "a\nb\rc" }))).toEqual(["### 5 user", "", "    a", "    b", "    c", ""]);
  expect(renderMarkdown(SUMMARY)).toEqual(["### 4 summary up to 3", "", "    so far", ""]);
});

test("JSON lines show a saying with all its fields, and escape everything except printable ASCII", () => {
  expect(renderJsonLine(saying(1, { text: "é\u001b\n" }))).toBe(
    '{"sequence":1,"turn":1,"role":"user","text":"\\u00e9\\u001b\\n","saidMs":0}',
  );
  expect(JSON.parse(renderJsonLine(ASSISTANT))).toEqual({
    ...{ sequence: 2, turn: 1, role: "assistant", text: "", saidMs: 0, calls: [CALL] },
  });
  expect(JSON.parse(renderJsonLine(TOOL))).toEqual({
    ...{ sequence: 3, turn: 1, role: "tool", text: "a\r\nb", saidMs: 0 },
    ...{ callId: "1", source: "notes.read", outcome: "timedOut" },
  });
  expect(JSON.parse(renderJsonLine(SUMMARY))).toMatchObject({ saidMs: 5, summaryThrough: 3 });
  expect(renderPrintableJson({ a: ["\u007f"] }, 1)).toBe('{\n "a": [\n  "\\u007f"\n ]\n}');
});

test("/export shows a whole conversation piece by piece, or its part after a saying", async () => {
  const shelf = shelved();
  const heads = async (argument: string) => (await shelf.say("export", argument)).filter((line) => /^###/.test(line));
  expect(await heads("c1")).toEqual([
    ...["### 1 user", "### 2 assistant", "### 3 notes.read: timedOut", "### 4 summary up to 3"],
  ]);
  expect(shelf.asked).toEqual(["read c1 0", "read c1 2"]);
  expect(await heads("c1 markdown 3")).toEqual(["### 4 summary up to 3"]);
  expect(await shelf.say("export", "c1 jsonl 2")).toEqual([renderJsonLine(TOOL), renderJsonLine(SUMMARY)]);
  shelf.sayings.set("main", [saying(1)]);
  expect(await heads("")).toEqual(["### 1 user"]);
  shelf.sayings.set("main", []);
  expect(await shelf.say("export")).toEqual([]);
  for (const wrong of ["c1 pdf", "c1 jsonl 0", "c1 jsonl x", "c1 jsonl 1 2"]) {
    expect(await shelf.say("export", wrong)).toEqual([
      "/export takes the name of a conversation, markdown or jsonl, and the number of a saying",
    ]);
  }
});

test("/export ends after 128 KiB, with at least one saying, and says how to continue", async () => {
  const shelf = new Shelf();
  const half = "é".repeat(32 * 1024);
  shelf.sayings.set("c1", [saying(1, { text: half }), saying(2, { text: half }), saying(3, { text: "a" })]);
  const ends = async (argument: string) => (await shelf.say("export", argument)).at(-1);
  expect(await ends("c1 jsonl")).toBe("there is more: /export c1 jsonl 2");
  expect(await ends("c1 jsonl 1")).toBe(renderJsonLine(saying(3, { text: "a" })));
  const long = { ...CALL, arguments: "a".repeat(128 * 1024 + 1) };
  shelf.sayings.set("c2", [saying(1, { calls: [long], text: "" }), saying(2)]);
  expect(await ends("c2 markdown")).toBe("there is more: /export c2 markdown 1");
  expect(await ends("c2 markdown 1")).toBe("");
});

test("/compare shows how many sayings two conversations share at the beginning, and how each continues", async () => {
  const shelf = shelved();
  shelf.sayings.set("c2", [saying(1, { turn: 9, saidMs: 9n }), saying(2, { text: "no  thanks" })]);
  expect(await shelf.say("compare", "c1  c2")).toEqual([
    "the first 1 sayings are the same",
    'c1 2 assistant: notes.read {"path":"a"}',
    "c1 3 notes.read timedOut: a b",
    "c1 4 assistant: so far",
    "c2 2 user: no thanks",
  ]);
  expect(await shelf.say("compare", "c1 c1")).toEqual([
    ...["the first 4 sayings are the same", "c1: nothing more", "c1: nothing more"],
  ]);
  shelf.sayings.set("c3", [saying(1)]);
  const beginning = ["the first 1 sayings are the same", "c3: nothing more"];
  expect((await shelf.say("compare", "c3 c1")).slice(0, 2)).toEqual(beginning);
  const [same, , , , rest] = await shelf.say("compare", "c1 c3");
  expect([same, rest]).toEqual(beginning);
});

test("sayings are equal if role, text, calls, source, outcome and summarised range are equal", async () => {
  const shelf = new Shelf();
  const own = saying(1, { role: "tool", source: "notes.read", calls: [CALL] });
  shelf.sayings.set("c1", [own]);
  for (const [changes, same] of [
    [{ turn: 2, saidMs: 3n, callId: "7" }, 1],
    [{ role: "user" }, 0],
    [{ text: "hi" }, 0],
    [{ calls: [] }, 0],
    [{ calls: [{ ...CALL, id: "2" }] }, 1],
    [{ calls: [{ ...CALL, arguments: "{}" }] }, 0],
    [{ source: "notes.write" }, 0],
    [{ outcome: "cancelled" }, 0],
    [{ through: 1n }, 0],
  ] as const) {
    shelf.sayings.set("c2", [{ ...own, ...changes }]);
    expect([changes, (await shelf.say("compare", "c1 c2"))[0]]).toEqual([
      changes,
      `the first ${same} sayings are the same`,
    ]);
  }
});

test("/compare shows ten sayings of each conversation, and 160 bytes of each saying", async () => {
  const shelf = new Shelf();
  shelf.piece = 20;
  const many = (count: number) => Array.from({ length: count }, (_, at) => saying(at + 1, { text: `${count}` }));
  shelf.sayings.set("c1", many(10));
  shelf.sayings.set("c2", many(12));
  const lines = await shelf.say("compare", "c1 c2");
  expect(lines).toHaveLength(22);
  expect(lines.slice(9, 11)).toEqual(["c1 9 user: 10", "c1 10 user: 10"]);
  expect(lines.at(-1)).toBe("c2: 2 more");
  shelf.sayings.set("c3", [saying(1, { text: "a".repeat(200) })]);
  expect((await shelf.say("compare", "c3 c1"))[1]).toBe(`c3 1 user: ${"a".repeat(160)} [cut: 40 more bytes]`);
});

test("/compare takes the names of two stored conversations, and compares only the beginning of long conversations", async () => {
  const shelf = shelved();
  for (const wrong of ["", "c1", "c1 c1 c1"]) {
    expect(await shelf.say("compare", wrong)).toEqual(["/compare takes the names of two conversations"]);
  }
  expect(await shelf.say("compare", "c1 c7")).toEqual(["c7: there is no conversation c7"]);
  expect(await shelf.say("compare", "c7 c1")).toEqual(["c7: there is no conversation c7"]);
  const long = { ...CALL, arguments: "a".repeat(300_000) };
  const sayings = Array.from({ length: 15 }, (_, at) => saying(at + 1, { calls: [long] }));
  shelf.piece = 1;
  shelf.sayings.set("c2", sayings);
  expect((await shelf.say("compare", "c2 c1")).at(-1)).toBe("only the first 4194304 bytes were compared");
  expect((await shelf.say("compare", "c1 c2")).at(-1)).toBe("only the first 4194304 bytes were compared");
  expect((await shelf.say("compare", "c1 c1")).at(-1)).toBe("c1: nothing more");
});
