import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

refuses("backend-without-engine", {
  "an empty block": page({ backends: "backend «canned» {}" }),
  "settings of an engine without one": page({ backends: "backend «canned» { threads 2  memory 64 MiB }" }),
});

accepts("backend-without-engine, kept", {
  "replies that are left out": page({ backends: "backend canned { stub }" }),
});
