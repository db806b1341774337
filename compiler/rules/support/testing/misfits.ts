// Creates arguments of each type and meaning, and checks from a page, for tests about conditions that do not fit.

import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import type { BoundCheck, Meaning, Type } from "../../../phases/bind/index.ts";
import type { Argument } from "../arguments.ts";
import { findConditionalLines } from "../conditional.ts";
import { findMisfit } from "../misfit.ts";

const text: Type = { which: "text", text: { maxBytes: 1024 } };
const count: Type = { which: "integer", integer: { low: 0n, high: 9n } };

const ALONE = { isElement: false, isOptional: false };
const withMeaning = (meaning: Meaning): Argument => ({ type: text, meaning, ...ALONE });
const withType = (type: Type): Argument => ({ type, meaning: undefined, ...ALONE });
const asElement = (argument: Argument): Argument => ({ ...argument, isElement: true });

export const ARGUMENTS = {
  text: withType(text),
  "meant text": withMeaning({ kind: "text" }),
  program: withMeaning({ kind: "program" }),
  path: withMeaning({ kind: "path" }),
  url: withMeaning({ kind: "url" }),
  money: withMeaning({ kind: "money", currency: "EUR" }),
  "truth value": withType({ which: "boolean" }),
  integer: withType(count),
  number: withType({ which: "number" }),
  json: withType({ which: "json", json: { maxBytes: 9, form: "any" } }),
  either: withType({ which: "either", either: [{ which: "boolean" }, { which: "number" }] }),
  choice: withType({ which: "choice", choice: ["red", "green"] }),
  list: withType({ which: "list", list: text }),
  record: withType({ which: "record", record: [{ name: "width", type: count, required: true }] }),
  "text in a list": asElement(withType(text)),
  "integer in a list": asElement(withType(count)),
  "path in a list": asElement(withMeaning({ kind: "path" })),
} satisfies Readonly<Record<string, Argument>>;

export type ArgumentName = keyof typeof ARGUMENTS;

interface Why {
  readonly why: string;
  readonly instead: string;
}

/** Binds a page whose only condition is `written`, and returns its check. */
export async function readCheck(written: string): Promise<BoundCheck> {
  const model = await bindModel(renderFactsPage({ permit: `auto Files.write where ${written} else consent` }));
  const [check] = findConditionalLines(model)[0]?.checks ?? [];
  if (check === undefined) throw new Error("the page has a condition");
  return check;
}

/** Expects each check to fit its argument. */
export function expectFits(cases: readonly (readonly [ArgumentName, string])[]): void {
  test.each(cases)("a %s fits `%s`", async (name, written) => {
    expect(findMisfit(ARGUMENTS[name], await readCheck(written))).toBeUndefined();
  });
}

/** Expects each check not to fit its argument, for exactly this reason. */
export function expectMisfits(cases: readonly (readonly [ArgumentName, string, Why])[]): void {
  test.each(cases)("a %s does not fit `%s`, and why", async (name, written, misfit) => {
    expect(findMisfit(ARGUMENTS[name], await readCheck(written))).toEqual(misfit);
  });
}
