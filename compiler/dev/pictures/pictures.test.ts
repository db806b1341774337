import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { renderPictures } from "./scenes.ts";
import { parseScreen } from "./screen.ts";
import { renderSvg } from "./svg.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = join(CHECKOUT, "compiler/dev/docs/tutorials/pictures");

test("the pictures show the current output of their commands", async () => {
  const pictures = await renderPictures(CHECKOUT);
  expect(readdirSync(FOLDER).sort()).toEqual([...pictures.keys()].sort());
  for (const [name, svg] of pictures)
    expect(readFileSync(join(FOLDER, name), "utf8"), "run node compiler/dev/pictures/main.ts").toBe(svg);
}, 300_000);

test("each tutorial describes its pictures in words", () => {
  const tutorials = join(FOLDER, "..");
  const pages = readdirSync(tutorials).filter((name) => name.endsWith(".md"));
  const shown = pages.flatMap((name) => [
    ...readFileSync(join(tutorials, name), "utf8").matchAll(/!\[([^\]]*)\]\(pictures\/([^)]+)\)/g),
  ]);
  expect(shown.map(([, , file]) => file).sort()).toEqual(readdirSync(FOLDER).sort());
  expect(shown.filter(([, words = ""]) => words.length < 20)).toEqual([]);
});

test("text with one colour and one style becomes a run, and another colour or style begins the next run", () => {
  const rows = parseScreen("\u001b[1;31mno\u001b[0m yes \u001b[38;5;208mx\u001b[39m\n\n");
  expect(rows).toEqual([
    [
      { text: "no", style: { isBold: true, foreground: 1 } },
      { text: " yes ", style: {} },
      { text: "x", style: { foreground: 208 } },
    ],
  ]);
});

test.each(["\u001b[2J", "\u001b[5mx", "\u0007"])("a screen with %j is refused", (screen) => {
  expect(() => parseScreen(screen)).toThrow();
});

test("each word of a picture is drawn at its column, markup is escaped, and a character with two columns is refused", () => {
  const svg = renderSvg([[{ text: "a  <b>", style: { isReversed: true } }]], { columns: 10, title: "x & y" });
  expect(svg).toContain("<title>x &amp; y</title>");
  expect([...svg.matchAll(/<text x="([\d.]+)".*>(.*)<\/text>/g)].map(([, x, text]) => [x, text])).toEqual([
    ["14", "a"],
    ["39.2", "&lt;b&gt;"],
  ]);
  expect(() => renderSvg([[{ text: "漢", style: {} }]], { columns: 10, title: "" })).toThrow("two cells");
});
