import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSource, parse } from "../../grammar/index.ts";
import { anyPage, LINES } from "../../testing/index.ts";
import { createSourceText } from "../../text/index.ts";
import type { Item } from "../../tree/index.ts";
import { renderPage } from "../index.ts";

const WHOLE = readFileSync(new URL("../../spec/whole-page.cap", import.meta.url), "utf8");

async function itemsOf(text: string): Promise<readonly Item[]> {
  const { tree, diagnostics } = await parse(createSourceText("a.cap", text));
  expect(diagnostics).toEqual([]);
  return tree.items;
}

async function written(items: readonly Item[]): Promise<string> {
  const outcome = await renderPage(items);
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join("; "));
  return outcome.value;
}

function withoutPlaces(items: readonly Item[]): string {
  return JSON.stringify(items, (key, value) => (key === "span" ? undefined : value));
}

test("a rendered tree is parsed to the same tree except for its spans, and the parsed tree is rendered to the same text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyPage(), anyPage(LINES)), async (page) => {
      const items = await itemsOf(page);
      const text = await written(items);
      const again = await itemsOf(text);
      expect(withoutPlaces(again)).toBe(withoutPlaces(items));
      expect(await written(again)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("the tree of `whole-page.cap` is rendered with every construct", async () => {
  const items = await itemsOf(WHOLE);
  expect(withoutPlaces(await itemsOf(await written(items)))).toBe(withoutPlaces(items));
});

test("characters that a page may not contain are written as escapes", async () => {
  const hidden = "\u0000\u0007\u001b\u007f\u0085\u00ad\u200b\u202e\u2028\ufeff\ue000\u{e0041}";
  const escapes = [...hidden]
    .flatMap((character) => character.split(""))
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const text = await written(await itemsOf(`principal a { ssh "${escapes.join("")}" }`));
  const bounded = decodeSource("a.cap", new TextEncoder().encode(text));
  expect(bounded.ok && (await parse(bounded.source)).tree.items).toMatchObject([
    { proofs: [{ value: { value: hidden } }] },
  ]);
});

test.each(["two words", "auto", "", "b category c", "é", "a\n"])(
  "the invalid name `%s` is refused, so that it cannot inject text",
  async (text) => {
    const [item] = await itemsOf("category a : b");
    if (item?.kind !== "category") throw new Error("no category was read");
    expect((await renderPage([{ ...item, name: { ...item.name, text } }])).ok).toBe(false);
    expect((await renderPage([{ ...item, parent: { ...item.name, text } }])).ok).toBe(false);
  },
);

test("an amount that is not a number is refused", async () => {
  const [item] = await itemsOf("backend b { threads 1 }");
  const [threads] = item?.kind === "backend" ? item.attributes : [];
  if (item?.kind !== "backend" || threads?.kind !== "threads") throw new Error("no threads were read");
  const count = { ...threads.count, decimal: "1 cpu" };
  expect((await renderPage([{ ...item, attributes: [{ ...threads, count }] }])).ok).toBe(false);
});
