import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION =
  "session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }";
const narrowing = (words: string, session = SESSION) =>
  renderFactsPage({ sessions: `${session} session heir extends operator { ${words} }` });

expectRefused("only-removes-nothing", {
  "a pattern that matches all tools": narrowing("only «notes.*»"),
  "patterns that match all tools together, at the first one": narrowing("only «readOnly», mutatingLocal, destructive"),
  "a pattern that matches all tools that the base kept": narrowing(
    "only «notes.*»",
    SESSION.replace("permit", "suppress notes.delete permit"),
  ),
  "a pattern in a task that matches all tools that the session kept": renderFactsPage({
    sessions: `${SESSION.replace("permit", "only readOnly, mutatingLocal permit")} task t in operator { only «notes.*» }`,
  }),
});

expectRefused("suppress-removes-nothing", {
  "a tool that the base suppressed": narrowing(
    "suppress «notes.delete»",
    SESSION.replace("permit", "suppress destructive permit"),
  ),
  "a tool that `only` removed": narrowing("only readOnly  suppress «notes.delete»"),
  "the second of two equal tools": narrowing("suppress notes.delete, «destructive»"),
  "the last two of three equal tools": narrowing("suppress notes.delete, «destructive», «notes.delete»"),
});

expectAccepted("only-removes-nothing, suppress-removes-nothing, kept", {
  "an `only` that removes one tool": narrowing("only readOnly, mutatingLocal"),
  "an `only` of a phase, which may match all tools": renderFactsPage({
    sessions: `${SESSION} task t in operator { phase look { only notes.* } }`,
  }),
  "two overlapping patterns, each with a tool of its own": narrowing("suppress notes.list, notes.delete"),
});

const TWO = "only notes.*  suppress notes.delete, destructive";

test.each([
  ["the session itself", `${SESSION} session heir extends operator { ${TWO}  quot { 5 } }`],
  ["the session of a task", `${SESSION.replace("permit", "quot { 5 } permit")} task t in operator { ${TWO} }`],
  ["the task", `${SESSION} task t in operator { ${TWO}  quot { 5 } }`],
])(
  "only-removes-nothing and suppress-removes-nothing are not reported if part of %s has a syntax error",
  async (_, sessions) => {
    const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
  },
);

test("only-removes-nothing and suppress-removes-nothing are not reported on a page without tools", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      services: "",
      permit: "auto readOnly } only readOnly quota { 1 calls per turn",
    }),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["rule-never-matches", "rule-never-matches"]);
});
