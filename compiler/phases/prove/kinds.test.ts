import fc from "fast-check";
import { expect, test } from "vitest";
import { prove } from "./index.ts";
import { anyPage } from "./testing/any-page.ts";
import { meaningOf } from "./testing/compiled.ts";
import { pageText } from "./testing/pages.ts";
import { provenPage } from "./testing/render-proofs.ts";

const page = (
  stores: number,
) => `backend b0 { stub clearance secret }  backend far { remote openai "https://llm.example" }
  ${Array.from({ length: stores }, (_, index) => `service s${index} : Store { label secret/reviewed }`).join("\n")}
  declassify Store.put from secret to public by consent because "CHG-1"
  session day { kind operator  clearance secret  models { auto b0 }  permit { auto readOnly, mutatingLocal } }
  assert never flow secret to b0
  assert never flow public to far
  assert never trifecta`;

test("services that differ only in their names add no states, because the search uses only one of them", async () => {
  const [one, many] = [await provenPage(page(1)), await provenPage(page(200))];
  expect(many.own.map(({ verdict }) => verdict.kind)).toEqual(["refuted", "proved", "proved"]);
  expect(many.own.map(({ verdict }) => verdict)).toMatchObject(one.own.map(({ verdict }) => ({ kind: verdict.kind })));
  expect([many.states, many.mergedLabels]).toEqual([one.states, one.mergedLabels]);
});

/**
 * Returns the page with its first service duplicated, so that no rule distinguishes the two. Returns `undefined` if a grant distinguishes
 * them.
 */
function twinned(text: string): readonly [once: string, twice: string] | undefined {
  const [line, face] = /^service s0 : (\w+) .*$/m.exec(text) ?? [];
  if (line === undefined || /grant s0/.test(text)) return undefined;
  const once = text.replaceAll(/\bs0\./g, `${face}.`);
  return [once, once.replace(line, `${line}\n${line.replace("s0", "twin")}`)];
}

test("property: an added copy of a service under another name changes no verdict", async () => {
  await fc.assert(
    fc.asyncProperty(anyPage, async (any) => {
      const pages = twinned(pageText(any));
      fc.pre(pages !== undefined);
      const [once = "", twice = ""] = pages ?? [];
      expect(await verdicts(twice)).toEqual(await verdicts(once));
    }),
    { numRuns: 150 },
  );
});

async function verdicts(text: string): Promise<readonly string[]> {
  const { policy, model } = await meaningOf(text);
  return prove(policy, model).results.map(({ words, verdict }) => `${words}: ${verdict.kind}`);
}
