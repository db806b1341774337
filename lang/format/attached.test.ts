import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, scan } from "../grammar/index.ts";
import { anyDamagedPage, anyPage, LINES } from "../testing/index.ts";
import { createSourceText } from "../text/index.ts";
import { findAttachments } from "./attached.ts";
import { formatFile } from "./index.ts";

async function attachmentsOf(text: string) {
  const { tree } = await parse(createSourceText("a.cap", text));
  return findAttachments(tree);
}

/**
 * Returns a list for each comment. The list has the comment's text, the indexes of the first token in and the first
 * token after its place, and `holdsLines`.
 */
async function attachedIn(text: string) {
  const { tokens } = scan(createSourceText("a.cap", text));
  const starts = Array.from({ length: tokens.count }, (_, index) => tokens.start(index));
  const { comments } = await attachmentsOf(text);
  return comments.map(({ comment, place }) => [
    comment.text,
    place && starts.indexOf(place.start),
    place && starts.filter((start) => start < place.end).length,
    place?.holdsLines,
  ]);
}

test("a comment refers to the same part of the page before and after formatting", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyPage(), anyPage(LINES)), async (page) => {
      const formatted = await formatFile(createSourceText("a.cap", page));
      if (!formatted.ok) throw new Error("the grammar allows it");
      expect(await attachedIn(formatted.value)).toEqual(await attachedIn(page));
    }),
    { numRuns: 500 },
  );
});

test("every comment of a damaged page is returned once, in order, and no comment refers to an empty part of the page", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyDamagedPage(), anyDamagedPage(LINES)), async (page) => {
      const { docs, comments } = scan(createSourceText("a.cap", page));
      const written = [...docs, ...comments].map(({ start }) => start).sort((left, right) => left - right);
      const attached = (await attachmentsOf(page)).comments;
      expect(attached.map(({ comment }) => comment.start)).toEqual(written);
      for (const { place } of attached) expect(place?.end ?? 1).toBeGreaterThan(place?.start ?? 0);
    }),
    { numRuns: 300 },
  );
});

/** The marks «» enclose the place to which the comment `// c` refers. */
test.each<[string, string]>([
  ["after a line", "session s { permit { \n«auto a» // c\n auto b } }"],
  ["before a line, with other comments between", "session s { permit { auto a\n// c\n// d\n\n/// e\n«auto b» } }"],
  ["after a block", "«session s { kind k }» // c\n"],
  ["after a brace that opens a block", "«session s { // c\n kind k }»"],
  ["inside a line", 'session s { permit { «auto a, // c\n b because "r"» } }'],
  ["between a block and the rest of its declaration", 'session s { «widen { auto a } // c\n because "r"» }'],
  ["after the last line of a block, before a line break", "session s { permit { auto a «auto b» // c\n } }"],
  ["before an imported schema", '// c\n«use capnp "a.capnp" as a»'],
])("a comment refers to the part beside it: %s", async (_, marked) => {
  const text = marked.replace("«", "").replace("»", "");
  const [found] = (await attachmentsOf(text)).comments.filter(({ comment }) => comment.text === "// c");
  expect(found?.place).toMatchObject({ start: marked.indexOf("«"), end: marked.indexOf("»") - 1 });
});

test.each(["session s { kind k\n// c\n}", "system s {}\n// c\n"])(
  "a comment at the end of its block or page refers to no part of the page: %j",
  async (text) => {
    expect((await attachmentsOf(text)).comments).toMatchObject([{ comment: { text: "// c" }, place: undefined }]);
  },
);

test("the parts of the page that enclose an offset are returned from the innermost to the outermost", async () => {
  const text = "system s { session a { permit { auto b } } }";
  const { placesAt } = await attachmentsOf(text);
  const placed = (offset: number): string[] => placesAt(offset).map(({ start, end }) => text.slice(start, end));
  const permit = "permit { auto b }";
  expect(placed(text.indexOf("b }"))).toEqual(["auto b", permit, `session a { ${permit} }`, text]);
  expect(placed(text.indexOf(" } }"))).toEqual([permit, `session a { ${permit} }`, text]);
  expect(placed(text.length)).toEqual([]);
});
