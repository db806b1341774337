import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

expectRefused("backend-without-engine", {
  "an empty block": renderFactsPage({ backends: "backend «canned» {}" }),
  "settings of an engine without one": renderFactsPage({ backends: "backend «canned» { threads 2  memory 64 MiB }" }),
});

expectAccepted("backend-without-engine, kept", {
  "replies without a path": renderFactsPage({ backends: "backend canned { stub }" }),
});
