import { expect, test } from "vitest";
import { findSection, replaceSection } from "./spoiled.ts";
import { createRows, renderTable } from "./table.ts";

const asked = (name: string, ...answers: string[]) =>
  answers.map((answer, at) => ({
    flip: { structure: { name, offset: 100, size: 9 }, offset: 100 + at, mask: 1 },
    answer,
  }));

const wrong = (name: string, ...answers: string[]) => createRows(asked(name, ...answers)).flatMap((row) => row.wrong);

test("whatever bit of a file in the manifest is changed, init must refuse the image and name the file", () => {
  const tables = "/capos/policy/tables.bin";
  expect(wrong(tables, `refused: ${tables} — its digest`, "same", "refused: the medium — x", "other")).toEqual([
    "at 1: same",
    "at 2: refused: the medium — x",
    "at 3: other",
  ]);
  expect(wrong("/capos/manifest.bin.sig", "refused: /capos/manifest.bin — its signature does not hold")).toEqual([]);
});

test("if a hash tree is changed, the refusal must name its file, and if the signature of a card is changed, the refusal must name the card", () => {
  const tree = "/boot/models/smol.gguf: its hash tree";
  expect(wrong(tree, "refused: /boot/models/smol.gguf — block 28", `refused: ${tree} — block 28`, "same")).toEqual([
    `at 1: refused: ${tree} — block 28`,
    "at 2: same",
  ]);
  const signature = "/capos/models/smol.card.sig";
  expect(wrong(signature, "refused: /capos/models/smol.card — its signature does not hold", "same")).toEqual([
    "at 1: same",
  ]);
  expect(renderTable(createRows(asked(tree, "refused: /boot/models/smol.gguf — x")))).toContain(
    `| ${tree} | init refuses the image and names smol.gguf |`,
  );
});

test("a changed path table may be refused or have no effect, but must not give other data", () => {
  expect(wrong("folders and path tables", "same", "refused: the medium — x", "other")).toEqual(["at 2: other"]);
});

test("a change of unread bytes must have no effect, and a change of a structure that no claim covers is a fault", () => {
  expect(wrong("padding", "same", "refused: the medium — x")).toEqual(["at 1: refused: the medium — x"]);
  expect(wrong("/etc/passwd", "same")).toEqual(["at 0: nothing is claimed of it"]);
});

test("the table shows the results, but not the number of changes", () => {
  const some = [...asked("folders and path tables", "same", "refused: a — b"), ...asked("padding", "same")];
  const more = [...some, ...asked("padding", "same", "same")];
  expect(renderTable(createRows(some))).toContain(
    "| folders and path tables | init refuses the image, or the change has no effect |",
  );
  expect(renderTable(createRows(some))).toContain(
    "| padding | init accepts the image: it does not read this part | no program reads it |",
  );
  expect(renderTable(createRows(more))).toBe(renderTable(createRows(some)));
});

test("replaces the table between its marks, and keeps the other text", () => {
  const text = "before\n<!-- changed bits: begin -->\nold\n<!-- changed bits: end -->\nafter\n";
  expect(findSection(replaceSection(text, "| $& |\n"))).toBe("| $& |\n");
  expect(replaceSection(text, "old\n")).toBe(text);
  expect(() => replaceSection("nothing", "x")).toThrow();
});
