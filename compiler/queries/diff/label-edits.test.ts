import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexedTables, Label } from "../../../engine/lib/policy/index.ts";
import type { Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { compile } from "../../compile.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { anyPage } from "../../phases/prove/testing/any-page.ts";
import { meaningOf } from "../../phases/prove/testing/compiled.ts";
import { pageText } from "../../phases/prove/testing/pages.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { findLabelEdits } from "./label-edits.ts";

const BOARD = "auto board.write where content from reviewed else consent";

const page = (label: string, board: string = BOARD, starts = "") => `system house version "1.0.0" {
  use std.tools
  service notes : Files { label ${label}  state 1 MiB }
  storage { disk "d" }
  image { target linux  machine vm  boot operator }
  service board : Files { label public/untrusted  state 1 MiB }
  backend canned { stub "replies.json"  clearance internal }
  session operator {
    kind operator
    clearance internal
    ${starts}
    models { auto canned }
    permit {
      auto readOnly
      ${board}
      consent notes.write
    }
    when integrity <= untrusted { atLeast forbidden notes.write }
  }
}
`;

async function tablesOf(text: string): Promise<IndexedTables> {
  const files = { "/system.cap": text, "/replies.json": "[]" };
  const made = await compile(createMemoryHost(files), "/system.cap", {
    purpose: "check",
    advice: "left",
    proofs: "left",
  });
  return made.policy === undefined
    ? bug(made.diagnostics.map(({ message }) => message).join())
    : indexPolicyTables(made.policy);
}

async function edit(from: string, to: string) {
  const [before, after] = [await tablesOf(page(from)), await tablesOf(page(to))];
  const [only, ...more] = findLabelEdits(before, after);
  expect(more).toEqual([]);
  return {
    parts: only?.parts.map(({ direction, what, before: was, after: is }) => `${direction} ${what}, ${was} → ${is}`),
    effects: only?.effects.map(
      ({ place, read, shown }) => `${place} ${read?.tool} ${shown.tool}: ${shown.before} → ${shown.after}`,
    ),
    rules: only?.rules.map(({ rule, kind }) => `${kind} ${after.rules[rule]?.words}`),
  };
}

test("lower secrecy is reported as a widening, with the call that it makes possible", async () => {
  expect(await edit("internal/reviewed", "public/reviewed")).toEqual({
    parts: [
      "widened results are less secret, internal → public",
      "narrowed arguments must be less secret, internal → public",
    ],
    effects: ["operator notes.list board.write: refusedByPolicy → auto"],
    rules: [],
  });
});

test("higher trust is reported as a widening, with the rules that can newly apply or no longer apply", async () => {
  expect(await edit("public/untrusted", "public/reviewed")).toEqual({
    parts: [
      "widened results are more trusted, untrusted → reviewed",
      "narrowed arguments must be more trusted, untrusted → reviewed",
    ],
    effects: ["operator notes.list notes.write: forbidden → consent"],
    rules: [
      "armed auto board.write where content from reviewed else consent",
      "disarmed when integrity <= untrusted: atLeast forbidden notes.write",
    ],
  });
});

interface Pages {
  readonly board: { readonly before: string; readonly after: string };
  readonly starts?: string;
}

/**
 * Returns the calls that are decided differently after results of `notes.list` change from untrusted to reviewed. Each
 * text also states the values from the result that the call passes on.
 */
async function describeTrusted({ board, starts }: Pages): Promise<readonly string[]> {
  const before = await tablesOf(page("public/untrusted", board.before, starts));
  const after = await tablesOf(page("public/reviewed", board.after, starts));
  return findLabelEdits(before, after).flatMap(({ effects }) =>
    effects.map(({ read, given, shown, isNewTool }) => {
      const first = `${read?.tool}${given.length === 0 ? "" : ` gives ${given.join()}`}`;
      return `${first}: ${shown.tool} ${shown.arguments}: ${shown.before} → ${shown.after}${isNewTool ? ", new" : ""}`;
    }),
  );
}

const LINKS = "forbidden board.write where some(urls(content)) from untrusted else consent";

test("higher trust of results is reported with a call that passes on a value from a result", async () => {
  const effects = await describeTrusted({ board: { before: LINKS, after: LINKS } });
  expect(effects[0]).toBe(
    'notes.list gives https://a.example: board.write {"content":"https://a.example","path":""}: forbidden → consent',
  );
});

test("for a session whose conversations begin untrusted, only the call that passes on a value from a result is reported", async () => {
  const effects = await describeTrusted({ board: { before: LINKS, after: LINKS }, starts: "starts public/untrusted" });
  expect(effects).toEqual([
    'notes.list gives https://a.example: board.write {"content":"https://a.example","path":""}: forbidden → consent',
  ]);
});

test("a call that passes on a value from a result is not reported if the result is only a weak source of the value", async () => {
  const effects = await describeTrusted({ board: { before: BOARD, after: BOARD } });
  expect(effects.filter((effect) => effect.includes("gives"))).toEqual([]);
});

test("lower trust can loosen a call that a rule forbids for trusted text", async () => {
  const board = "forbidden board.write where content from reviewed else auto";
  const [before, after] = [
    await tablesOf(page("public/reviewed", board)),
    await tablesOf(page("public/untrusted", board)),
  ];
  const effects = findLabelEdits(before, after).flatMap((edit) => edit.effects);
  expect(effects.filter(({ given }) => given.length > 0)).toMatchObject([
    { direction: "widened", shown: { tool: "board.write", before: "forbidden", after: "auto" } },
  ]);
});

test("an effect is marked `new` if the older page did not allow the tool", async () => {
  const effects = await describeTrusted({ board: { before: "forbidden board.write", after: LINKS } });
  expect(effects[0]).toContain(", new");
});

test("higher secrecy of a service's label narrows its results and widens its arguments", async () => {
  const { parts, effects } = await edit("public/reviewed", "internal/reviewed");
  expect(parts?.map((part) => part.split(",")[0])).toEqual([
    "narrowed results are more secret",
    "widened arguments may be more secret",
  ]);
  expect(effects).toEqual(["operator notes.list board.write: auto → refusedByPolicy"]);
});

const anyLabel: fc.Arbitrary<Label> = fc.record({
  confidentiality: fc.nat(1),
  integrity: fc.nat(1),
  compartments: fc.constant(0n),
});

test("property: an edit that loosens or tightens a call without passed-on values has a part in that direction, or a moved part", async () => {
  let widened = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, fc.nat(), anyLabel, async (any, at, label) => {
      const before = indexPolicyTables((await meaningOf(pageText(any))).policy);
      const tool = before.tools[at % before.tools.length];
      if (tool === undefined) return;
      const relabel = (one: Tool): Tool =>
        one.provider === tool.provider ? { ...one, result: { low: label, high: label }, sink: label } : one;
      const after = { ...before, tools: before.tools.map(relabel) };
      for (const { parts, effects } of [...findLabelEdits(before, after), ...findLabelEdits(after, before)]) {
        // A condition can also demand trusted text, so a call that passes on a value may change in either direction.
        for (const { direction } of effects.filter(({ given }) => given.length === 0)) {
          widened++;
          expect(parts.map((part) => part.direction).filter((one) => one === direction || one === "moved")).not.toEqual(
            [],
          );
        }
      }
      expect(findLabelEdits(before, before)).toEqual([]);
    }),
    { numRuns: 60 },
  );
  expect(widened).toBeGreaterThan(10);
});
