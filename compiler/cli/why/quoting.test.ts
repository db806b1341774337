import { expect, test } from "vitest";
import { suggestArguments, suggestQuoting } from "./quoting.ts";

test.each([
  ["path=/x", '{"path": "/x"}'],
  ["path=a b content=c", '{"path": "a b", "content": "c"}'],
  ["lines=5,deep=true", '{"lines": 5, "deep": true}'],
  ["{path: /x}", '{"path": "/x"}'],
  ["{path:/x, content: a b}", '{"path": "/x", "content": "a b"}'],
  ['{path: "a", lines: -1.5}', '{"path": "a", "lines": -1.5}'],
  ["url=https://a.example/?b=c", '{"url": "https://a.example/?b=c"}'],
  ['path=a"b', '{"path": "a\\"b"}'],
])("arguments written as %s are suggested as JSON", (text, wanted) => {
  const suggested = suggestArguments(text);
  expect(suggested).toBe(wanted);
  expect(typeof JSON.parse(suggested ?? "")).toBe("object");
});

test.each(["", "/x", "=x", "a b", "{}", "{a}", "{a: {b: c}, }", "1=2"])("no arguments are suggested for %j", (text) => {
  expect(suggestArguments(text)).toBeUndefined();
});

test.each([
  [["s", "notes.write", "path=/x"], `capc why page.cap 's notes.write {"path": "/x"}'`],
  [["s", "notes.write", "{path:", "/x}"], `capc why page.cap 's notes.write {"path": "/x"}'`],
  [["s notes.write", "path=/x"], `capc why page.cap 's notes.write {"path": "/x"}'`],
  [["s", "notes.read"], "capc why page.cap 's notes.read'"],
  [["s", "notes.read", "/x"], `capc why page.cap 's notes.read {"NAME": "VALUE"}'`],
  [["s", "notes.read", "path=it's"], `capc why page.cap 's notes.read {"path": "it'\\''s"}'`],
])("words that the shell has split are suggested as one quoted word: %j", (words, wanted) => {
  expect(suggestQuoting(["page.cap", ...words])).toBe(`quote the question as one word: ${wanted}`);
});

test("a quoted question needs no suggestion", () => {
  expect(suggestQuoting(["page.cap", "s notes.read"])).toBeUndefined();
});
