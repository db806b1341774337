import { expect, test } from "vitest";
import { createSourceText, getText, makeSpan } from "../../../lang/text/index.ts";
import { applyEdits, locateBeforeEdits } from "./edits.ts";

const TEXT = "one\ntwo\nthree\nfour\n";
const source = createSourceText("a.cap", TEXT);
const edits = [
  { span: makeSpan(source, 4, 4), replacement: "  added\n" },
  { span: makeSpan(source, 8, 13), replacement: "3" },
];
const changed = createSourceText("a.cap", applyEdits(TEXT, edits));

test.each(["one", "two", "four"])("an error at %s of the changed text is located on the page", (word) => {
  const start = changed.text.indexOf(word);
  const span = locateBeforeEdits(makeSpan(changed, start, start + word.length), edits);
  expect([span.source, getText(span)]).toEqual([source, word]);
});

test("an error in inserted text is located at the edit", () => {
  const start = changed.text.indexOf("added");
  expect(locateBeforeEdits(makeSpan(changed, start, start + 5), edits)).toEqual(edits[0]?.span);
});

test("an error in another file keeps its position", () => {
  const other = makeSpan(createSourceText("b.cap", TEXT), 4, 7);
  expect(locateBeforeEdits(other, edits)).toEqual(other);
});
