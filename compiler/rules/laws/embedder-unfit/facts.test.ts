import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";

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
  "that of one that is cleared for less than its session": [
    models("consent spare  auto canned", "«embedder near»", "", "clearance internal"),
    "`operator` may hold what it is not cleared for; let `clearance` of the backend cover that of the session",
  ],
  "that of one that is cleared for trusted words alone": [
    models("consent spare  auto canned", "clearance public/reviewed  «embedder near»"),
    "it is cleared for trusted words alone, and `operator` may hold others",
  ],
  "that of one for which words are masked": [
    models("consent spare  auto canned", "«embedder near»").replace(
      NEAR,
      `${NEAR}  redact cards label secret { matches "####" }  redact open label public { matches "####" }`,
    ),
    "it is not cleared for what `cards` masks, and an embedder is told all words as they are; let `clearance` of the backend cover",
  ],
  "that of one that nobody is sure to use, where another session uses none": [
    models("consent canned", "«embedder near»", "", "").replace("backend spare { stub  }", ""),
    "no session has it as the first backend that answers without a question; name the embedder in the backend",
  ],
});

const CUT_OFF = { "/night.cap": "session night { models { auto } }" };

expectUnsaid(
  "embedder-unfit",
  {
    "where part of the page was lost": models("auto spare", "embedder near").replace(
      "session operator",
      "sessio night  session operator",
    ),
    "where a session was cut off in a file of its own": models("auto canned", "", "embedder near", "").replace(
      "session operator",
      'use "night.cap"  session operator',
    ),
    "on a page that nobody could be in": models("auto canned", "embedder near").replace(
      "session operator",
      "abstract session operator",
    ),
  },
  CUT_OFF,
);

expectAccepted("embedder-unfit, kept", {
  "that of one that is cleared for words of any trust": models(
    "consent spare  auto canned",
    "clearance internal/untrusted  embedder near",
  ),
  "that of the first that does not ask, whoever may be asked before": models(
    "consent spare  auto canned",
    "embedder near",
  ),
  "one for each of two sessions": `${models("auto canned", "embedder near", "embedder far")}`.replace(
    "session operator",
    "session night { kind operator  models { auto spare }  permit { auto readOnly } }  session operator",
  ),
});
