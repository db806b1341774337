import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { renderReadme, wrapLine } from "./recording.ts";

test("the README shows the current output of the recorded session", async () => {
  const { is, should } = await renderReadme(fileURLToPath(new URL("../../..", import.meta.url)));
  expect(is, "run node compiler/dev/recording/main.ts --write").toBe(should);
  const shown = ["auto → ok", "allow? type kfm", "consent → ok", "forbidden → refusedByPolicy"];
  expect(shown.filter((text) => !is.includes(text))).toEqual([]);
});

test("a long line continues with an indent, and words are not split", () => {
  expect(wrapLine("one two three four", 9)).toEqual(["one two", "  three", "  four"]);
  expect(wrapLine("short", 9)).toEqual(["short"]);
  expect(wrapLine("aaaaaaaaaaaa bb", 9)).toEqual(["aaaaaaaaaaaa", "  bb"]);
});
