import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION =
  "session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }";
const narrowing = (words: string, session = SESSION) =>
  renderFactsPage({ sessions: `${session} session heir extends operator { ${words} }` });

expectRefused("only-removes-nothing", {
  "a pattern of all tools": narrowing("only «notes.*»"),
  "patterns that are all tools together, at the first": narrowing("only «readOnly», mutatingLocal, destructive"),
  "all tools that the base has left": narrowing(
    "only «notes.*»",
    SESSION.replace("permit", "suppress notes.delete permit"),
  ),
  "in a task, beside what its session has left": renderFactsPage({
    sessions: `${SESSION.replace("permit", "only readOnly, mutatingLocal permit")} task t in operator { only «notes.*» }`,
  }),
});

expectRefused("suppress-removes-nothing", {
  "what the base has taken away": narrowing(
    "suppress «notes.delete»",
    SESSION.replace("permit", "suppress destructive permit"),
  ),
  "what `only` has taken away": narrowing("only readOnly  suppress «notes.delete»"),
  "the later of two": narrowing("suppress notes.delete, «destructive»"),
  "the later two of three": narrowing("suppress notes.delete, «destructive», «notes.delete»"),
});

expectAccepted("only-removes-nothing, suppress-removes-nothing, kept", {
  "an `only` that takes one tool away": narrowing("only readOnly, mutatingLocal"),
  "an `only` of a phase, which may be all": renderFactsPage({
    sessions: `${SESSION} task t in operator { phase look { only notes.* } }`,
  }),
  "two patterns that overlap, each with a tool of its own": narrowing("suppress notes.list, notes.delete"),
});

const TWO = "only notes.*  suppress notes.delete, destructive";

test.each([
  ["the layer itself", `${SESSION} session heir extends operator { ${TWO}  quot { 5 } }`],
  ["the session of a task", `${SESSION.replace("permit", "quot { 5 } permit")} task t in operator { ${TWO} }`],
  ["the task", `${SESSION} task t in operator { ${TWO}  quot { 5 } }`],
])("only-removes-nothing and suppress-removes-nothing are not said where part of %s was lost", async (_, sessions) => {
  const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
});

test("only-removes-nothing and suppress-removes-nothing are not said of a page without tools", async () => {
  const { diagnostics } = await compilePage(
    renderFactsPage({
      services: "",
      permit: "auto readOnly } only readOnly quota { 1 calls per turn",
    }),
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["rule-never-matches", "rule-never-matches"]);
});
