import { expect, test } from "vitest";
import { createSourceText } from "../text/index.ts";
import { parse } from "./parse.ts";

/** Checks that each page has exactly one syntax error, at the text between the marks «». */
export function misread(pages: Readonly<Record<string, string>>): void {
  test.each(Object.entries(pages))("one message for %s", async (_, marked) => {
    const start = marked.indexOf("«");
    const end = marked.indexOf("»") - 1;
    const { diagnostics } = await parse(createSourceText("a.cap", marked.replace(/[«»]/g, "")));
    expect(diagnostics.map(({ span }) => ({ start: span.start, end: span.end }))).toEqual([{ start, end }]);
  });
}
