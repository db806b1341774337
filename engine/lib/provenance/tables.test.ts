import { expect, test } from "vitest";
import { always, check, indexed, PUBLIC, row, where } from "../policy/testing/sample.ts";
import { asksForSources, viewFirstSources } from "./tables.ts";

const FROM = { ...check("path", "from"), sources: [{ which: "person" as const }] };
const FLOOR = { confidentialityAtLeast: 0, integrityAtMost: 255, compartments: 0n, unattended: false, rule: 0 };

test("only rules or floors with `from` ask for the sources of the conversation", () => {
  const tables = (conditions: readonly [line: boolean, floor: boolean]) =>
    indexed({
      decisions: [
        {
          clauses: [conditions[0] ? where([FROM], "auto", "consent") : always("auto")],
          floors: [{ ...FLOOR, mode: "consent", conditions: conditions[1] ? [FROM] : [] }],
        },
      ],
      rows: [row("operator", [2], { starts: PUBLIC })],
    });
  const asked = ([false, true] as const).flatMap((line) =>
    ([false, true] as const).map((floor) => asksForSources(tables([line, floor]))),
  );
  expect(asked).toEqual([false, true, true, true]);
});

test("the sources of an empty conversation are the page's texts, and are absent if no rule asks for sources", () => {
  const tables = (conditions: Parameters<typeof where>[0]) =>
    indexed({
      decisions: [{ clauses: [where(conditions, "auto", "consent")], floors: [] }],
      rows: [row("operator", [2], { starts: PUBLIC })],
      pageTexts: ["bob@example.net"],
    });
  const sources = viewFirstSources(tables([FROM]));
  const judge = (text: string) => sources?.judge(text, [{ which: "page" }, { which: "person" }]);
  expect([judge("bob@example.net"), judge("eve@example.com")]).toEqual(["strong", "none"]);
  expect(viewFirstSources(tables([check("path", "under", "/a")]))).toBeUndefined();
});
