import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const withRest = (rest: string) => renderFactsPage({ rest: `${rest} ${END}` });

expectRefused("empty-phase", {
  "a task without phases": [
    withRest("task «t» in operator { only destructive }"),
    "no tool can run in the task `t` of `operator`; correct its `only`, `suppress` and `forbidden` rules",
  ],
  "each phase without a tool that can run": [
    withRest(`task t in operator {
      phase «look» { only destructive }  phase read after consent { only readOnly }  phase «mend» { permit { forbidden notes.* } } }`),
    "no tool can run in the phase `look` of `operator`",
    "no tool can run in the phase `mend` of `operator`",
  ],
  "a worker of a session that extends another one, reported once": [
    withRest(`worker «clerk» in operator { suppress notes.* }
      session heir extends operator { suppress notes.list }`),
    "no tool can run in the worker `clerk` of `operator`",
  ],
  "a worker with an `only` that leaves just forbidden tools": withRest(
    "worker «clerk» in operator { only destructive }",
  ),
  "a worker of a task without tools in any phase": withRest(
    `task t in operator { phase look { only Files.read, Files.list }  phase more { only Files.read } }
     worker «clerk» in t { only Files.write }`,
  ),
});

expectAccepted("empty-phase, kept", {
  "a worker with tools in one of two phases": withRest(
    `task t in operator { phase look { only Files.read }  phase mend after consent { only Files.* } }
     worker clerk in t { only Files.write }`,
  ),
  "a worker with all tools of its session": withRest("worker clerk in operator {}"),
});

const EMPTY = "only destructive";
const SESSION = "session operator { kind operator  models { auto canned }  permit { auto readOnly } }";

test.each([
  ["the page", `${SESSION} task t in operator { ${EMPTY} } sessio`],
  ["the session", `${SESSION.replace("permit", "quot { 5 } permit")} task t in operator { ${EMPTY} }`],
  ["the task", `${SESSION} task t in operator { ${EMPTY}  quot { 5 } }`],
  ["the phase", `${SESSION} task t in operator { phase look { ${EMPTY}  quot { 5 } } }`],
  ["the worker", `${SESSION} worker w in operator { ${EMPTY}  quot { 5 } }`],
])("empty-phase is not reported if part of %s has a syntax error", async (_, sessions) => {
  const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
  expect(diagnostics.map(({ code }) => code)).toContain("syntax");
  expect(diagnostics.map(({ code }) => code)).not.toContain("empty-phase");
});
