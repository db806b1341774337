import { expect, test } from "vitest";
import { HistorySearch } from "./history-search.ts";

const HISTORY = ["note: call Ada", "call Ada", "note: buy tea", "note: buy milk", "note: call Ada"];

function shown({ line, isFailed }: HistorySearch): string {
  return `${line ?? "nothing"}${isFailed ? ", no older" : ""}`;
}

test("further text continues the search at the line that was found last", () => {
  const search = new HistorySearch(HISTORY, "note");
  expect(shown(search)).toBe("note: call Ada");
  search.pass();
  expect(shown(search)).toBe("note: buy tea");
  // `note: call Ada` is newer and contains `note:` too, but a longer text searches only from the found line on.
  search.extend(":");
  expect(shown(search)).toBe("note: buy tea");
  for (const character of " buy m") search.extend(character);
  expect(shown(search)).toBe("note: buy milk");
  search.extend("x");
  expect(shown(search)).toBe("note: buy milk, no older");
  search.shorten();
  expect(shown(search)).toBe("note: buy milk");
});

test("the search stays at the last match if no older line matches, and begins again if its text is empty", () => {
  const search = new HistorySearch(HISTORY, "Ada");
  for (let count = 0; count < 5; count += 1) search.pass();
  expect(shown(search)).toBe("call Ada, no older");
  for (let count = 0; count < 5; count += 1) search.shorten();
  expect([search.text, shown(search)]).toEqual(["", "nothing"]);
  search.extend("Ada");
  expect(shown(search)).toBe("note: call Ada");
});

test("the search finds nothing if no line contains its text", () => {
  const search = new HistorySearch([], "x");
  search.pass();
  expect(shown(search)).toBe("nothing, no older");
});
