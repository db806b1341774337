import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const NEAR = 'model near { weights "near.gguf" }  model far { weights "far.gguf" }';
const models = (choices: string, canned: string, spare = "", session = "") =>
  renderFactsPage({
    top: NEAR,
    backends: `backend canned { stub ${canned} }  backend spare { stub ${spare} }`,
    services: "service notes : Files { state 1 MiB  label internal/reviewed }",
    sessions: `session operator { kind operator  models { ${choices} }  permit { auto readOnly  consent mutatingLocal } ${session} }`,
  });

expectRefused("embedder-unfit", {
  "that of one that asks first": models("consent spare  auto canned", "", "«embedder near»"),
  "that of one behind the first that does not ask": models(
    "auto canned  auto spare",
    "",
    "clearance internal  «embedder near»",
    "clearance internal",
  ),
  "that of one that is cleared for less than its session": models(
    "consent spare  auto canned",
    "«embedder near»",
    "",
    "clearance internal",
  ),
  "that of one that is cleared for trusted words alone": models(
    "consent spare  auto canned",
    "clearance public/reviewed  «embedder near»",
  ),
});

expectAccepted("embedder-unfit, kept", {
  "that of the first that does not ask, whoever may be asked before": models(
    "consent spare  auto canned",
    "embedder near",
  ),
  "one for each of two sessions": `${models("auto canned", "embedder near", "embedder far")}`.replace(
    "session operator",
    "session night { kind operator  models { auto spare }  permit { auto readOnly } }  session operator",
  ),
});
