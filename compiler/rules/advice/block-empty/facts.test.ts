import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const withRest = (rest: string) => renderFactsPage({ rest: `${rest} ${END}` });

expectAdvised("block-empty", {
  "empty blocks of a session": renderFactsPage({
    permit: "auto readOnly } «permit {}»  «quota {}»  «timeout {}»  «when unattended {}» quota { 5 calls per turn",
  }),
  "a test without a step": withRest('test «"nothing"» { }'),
  "a test that only names a session": withRest('test «"nobody calls"» { as operator unattended }'),
  "a task": withRest("task «t» in operator {}"),
  "an empty task with one phase": withRest("task «t» in operator { phase look {} }"),
  "an empty block in a phase and an empty worker": withRest(
    `task t in operator { phase look { only readOnly  «permit {}» } }
     worker w in operator { only readOnly  «quota {}» }`,
  ),
});

expectAdvised("block-empty", {
  "a task with only a quota": withRest("task t in operator { quota { 5 calls per task } }"),
  "a phase that has all tools of its task": withRest(
    "task t in operator { phase look { only readOnly }  phase mend after consent {} }",
  ),
  "a test of one call": withRest('test "reading" { as operator  call notes.list { path: "" } expect auto }'),
  "a worker with all tools of its session": withRest("worker w in operator {}"),
});
