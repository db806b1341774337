import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatMessage } from "../../../../lib/wire/generated/capos.ts";
import { indexCopies } from "./copies.ts";

const message = (content: string, role: ChatMessage["role"] = "user"): ChatMessage => ({
  role,
  content,
  toolCallId: "",
  toolCalls: [],
});
const call = (begun: string): string => `{"name": "rings.resize", "arguments": {${begun}`;
const COPIES = indexCopies([message("resize 'modest-yucca' to -75 kB by 2025-03-10, and /srv/a.b too")]);
const beginnings = (texts: readonly string[]): readonly string[] => texts.map((text) => text.slice(0, 12));

test("a copied text may begin with any word of the messages, and continues as the message continues after it", () => {
  expect(beginnings(COPIES(call('"ring": "')))).toEqual([
    "resize 'mode",
    "modest-yucca",
    "to -75 kB by",
    "-75 kB by 20",
    "kB by 2025-0",
    "by 2025-03-1",
    "2025-03-10, ",
    "and /srv/a.b",
    "/srv/a.b too",
    "too",
  ]);
  expect(beginnings(COPIES(call('"ring": "mod')))).toEqual(["est-yucca' t"]);
  expect(COPIES(call('"ring": "modly'))).toEqual([]);
});

test("a copied text may end only where a word ends", () => {
  const ends = ['"', '",', '"}', '"}}'];
  expect(COPIES(call('"ring": "modest-yucca')).slice(-4)).toEqual(ends);
  expect(COPIES(call('"ring": "to')).slice(-4)).toEqual(ends);
  expect(COPIES(call('"ring": "modest-yuc'))).toEqual(["ca' to -75 kB by 2025-03"]);
});

test("a copied number is a separate number with its sign, and not part of a date or path", () => {
  expect(COPIES(call('"size":')).filter((text) => !text.includes('"'))).toEqual([" -75"]);
  expect(COPIES(call('"size": -'))).toEqual(["75"]);
  expect(COPIES(call('"size": -75'))).toEqual([",", "}", "}}"]);
  expect(COPIES(call('"size": 7'))).toEqual([]);
  const numbers = indexCopies([message("1.5 of x2 and 3.4.5, v6 7_8 10:30 1/2 9.")]);
  expect(numbers(call('"size":')).filter((text) => !text.includes('"'))).toEqual([" 1.5", " 9"]);
});

test("the first item of a list has no blank before it, and each later item has one", () => {
  const numbers = indexCopies([message("draw 3 4")]);
  expect(numbers(call('"at": ['))).toEqual(['"draw 3 4', '"3 4', '"4', "3", "4"]);
  expect(numbers(call('"at": [3,'))).toEqual([' "draw 3 4', ' "3 4', ' "4', " 3", " 4"]);
  expect(numbers(call('"at": {"x":')).slice(-2)).toEqual([" 3", " 4"]);
});

test("offers no copies in a name, in a key, after a value, or in text", () => {
  for (const begun of [
    '"',
    '"resi',
    '"ring"',
    '"ring": "a"',
    '"ring": "a",',
    '"ring": "a", "re',
    '"on": t',
    '"at": [3]',
  ])
    expect([begun, COPIES(call(begun))]).toEqual([begun, []]);
  expect(COPIES('{"name": "resi')).toEqual([]);
});

test("copies from people and tools, but not from the system message or the model", () => {
  const from = (role: ChatMessage["role"]) => indexCopies([message("garnet", role)])(call('"ring": "'));
  expect((["user", "tool", "system", "assistant"] as const).map((role) => from(role).length)).toEqual([1, 1, 0, 0]);
});

test("escapes a copy as JSON requires", () => {
  const copies = indexCopies([message('say a"b\\c')]);
  expect(copies(call('"text": "a'))[0]).toBe('\\"b\\\\c');
  expect(copies(call('"text": "a\\"'))).toContain("b\\\\c");
});

test("property: copies are few and short, and copies of text occur in the messages", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string({ maxLength: 12 }), (said, begun) => {
      const raw = JSON.stringify(begun).slice(1, -1);
      const source = JSON.stringify(said).slice(1, -1);
      for (const copy of indexCopies([message(said)])(call(`"x": "${raw}`))) {
        expect(copy.length).toBeLessThanOrEqual(24);
        expect(source.includes(raw + copy) || copy.startsWith('"')).toBe(true);
      }
      indexCopies([message(said)])(`{${begun}`);
    }),
  );
  const long = "word ".repeat(100_000);
  expect(indexCopies([message(long)])(call('"x": "')).length).toBeLessThanOrEqual(64);
});
