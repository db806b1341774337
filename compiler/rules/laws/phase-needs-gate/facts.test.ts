import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const SESSION =
  "session operator { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal } }";
const tasks = (rest: string) => renderFactsPage({ sessions: `${SESSION} ${rest}` });

expectRefused("phase-needs-gate", {
  "a phase without a gate, reported once for all sessions that inherit the task": tasks(
    `task t in operator { phase look { only readOnly }  phase «mend» { only notes.* } }
     session heir extends operator { suppress notes.list }`,
  ),
  "a phase without a gate after a worker": tasks(
    `task t in operator { phase look { only readOnly }  phase «mend» { only notes.* } }  worker w in operator { only readOnly }`,
  ),
  "each phase that adds tools": [
    tasks(
      "task t in operator { phase a { only notes.list }  phase «b» { only readOnly }  phase «c» { only notes.* } }",
    ),
    "in session `operator`, `notes.read` could have a looser mode in phase `b` than in the previous phase `a`",
    "in phase `c` than in the previous phase `b`",
  ],
});

expectAccepted("phase-needs-gate, kept", {
  "a phase with fewer tools": tasks("task t in operator { phase all { only notes.* }  phase look { only readOnly } }"),
  "the first phase of a session after the last one of its base": tasks(
    `task t in operator { phase all { only notes.* }  phase look { only readOnly } }
     session heir extends operator { suppress notes.list }`,
  ),
  "the first phase of another task": tasks(
    `task a in operator { phase look { only readOnly } }  task b in operator { phase all { only notes.* } }
     task c in operator { only readOnly }`,
  ),
});

test.each([
  [
    "part of the task",
    `${SESSION} task t in operator { phase look { only readOnly }  phase mend { only notes.* } quot { 5 } }`,
  ],
  [
    "part of the session",
    `${SESSION.replace("permit", "quot { 5 } permit")} task t in operator { phase look { only readOnly }  phase mend { only notes.* } }`,
  ],
])("phase-needs-gate is not reported if %s has a syntax error", async (_, sessions) => {
  const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
});
