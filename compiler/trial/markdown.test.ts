import { expect, test } from "vitest";
import { Markdown } from "./markdown.ts";

/** Returns a letter for each character: s for strong, e for emphasis, x for both, c for code, m for markup. */
function style(text: string): string {
  const markdown = new Markdown();
  return text
    .split("\n")
    .map((line) => {
      const styles = [...line].map((character) => {
        const { isStrong, isEmphasis, isCode, isMarkup } = markdown.style(character);
        if (isMarkup) return "m";
        if (isCode) return "c";
        return isStrong ? (isEmphasis ? "x" : "s") : isEmphasis ? "e" : ".";
      });
      markdown.endLine();
      return styles.join("");
    })
    .join("\n");
}

test.each([
  ["a **b c** d", "..mmsssmm.."],
  ["*a* _b_, `c`", "mem.mem..mcm"],
  ["***a*** b", "mmmxmmm.."],
  ["## A b\nc", "mmssss\n."],
  ["```\na *b*\n```\n*c*", "mmm\nccccc\nmmm\nmem"],
  ["`a *b* _c_`", "mccmcmcmcmm"],
  ["rm *.txt now", "...m........"],
  ["a * b*c* d", "..m..m.m.."],
  ["2 * 3 * 4", "..m...m.."],
  ["snake_case_name", ".....m....m...."],
  ["#1 of 3", "m......"],
  ["**a\nb", "mms\n."],
])("the text %j has the same attributes as on the console of an image", (text, styles) => {
  expect(style(text)).toBe(styles);
});
