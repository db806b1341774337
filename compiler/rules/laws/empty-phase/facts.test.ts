import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const withRest = (rest: string) => renderFactsPage({ rest: `${rest} ${END}` });

expectRefused("empty-phase", {
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
