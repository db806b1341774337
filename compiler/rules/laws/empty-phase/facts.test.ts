import { expect, test } from "vitest";
import { compilePage, expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const withRest = (rest: string) => renderFactsPage({ rest: `${rest} ${END}` });

expectRefused("empty-phase", {
  "a task without phases": [
    withRest("task «t» in operator { only destructive }"),
    "no tool can run in the task `t` of `operator`; look at its `only`, `suppress` and `forbidden` lines",
  ],
  "each phase in which nothing can run": [
    withRest(`task t in operator {
      phase «look» { only destructive }  phase read after consent { only readOnly }  phase «mend» { permit { forbidden notes.* } } }`),
    "no tool can run in the phase `look` of `operator`",
    "no tool can run in the phase `mend` of `operator`",
  ],
  "the worker of a session that extends another one, once": [
    withRest(`worker «clerk» in operator { suppress notes.* }
      session heir extends operator { suppress notes.list }`),
    "no tool can run in the worker `clerk` of `operator`",
  ],
  "a worker whose only leaves what is forbidden": withRest("worker «clerk» in operator { only destructive }"),
  "a worker of a task, in each of its phases": withRest(
    `task t in operator { phase look { only Files.read, Files.list }  phase more { only Files.read } }
     worker «clerk» in t { only Files.write }`,
  ),
});

expectAccepted("empty-phase, kept", {
  "a worker that works in one phase of two": withRest(
    `task t in operator { phase look { only Files.read }  phase mend after consent { only Files.* } }
     worker clerk in t { only Files.write }`,
  ),
  "a worker with what its session has": withRest("worker clerk in operator {}"),
});

const EMPTY = "only destructive";
const SESSION = "session operator { kind operator  models { auto canned }  permit { auto readOnly } }";

test.each([
  ["the page", `${SESSION} task t in operator { ${EMPTY} } sessio`],
  ["the session", `${SESSION.replace("permit", "quot { 5 } permit")} task t in operator { ${EMPTY} }`],
  ["the task", `${SESSION} task t in operator { ${EMPTY}  quot { 5 } }`],
  ["the phase", `${SESSION} task t in operator { phase look { ${EMPTY}  quot { 5 } } }`],
  ["the worker", `${SESSION} worker w in operator { ${EMPTY}  quot { 5 } }`],
])("empty-phase is not said where part of %s was lost", async (_, sessions) => {
  const { diagnostics } = await compilePage(renderFactsPage({ sessions }));
  expect(diagnostics.map(({ code }) => code)).toContain("syntax");
  expect(diagnostics.map(({ code }) => code)).not.toContain("empty-phase");
});
