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
  "the embedder of a backend that asks first": models("consent spare  auto canned", "", "«embedder near»"),
  "the embedder of a backend after the first one that does not ask": models(
    "auto canned  auto spare",
    "",
    "clearance internal  «embedder near»",
    "clearance internal",
  ),
  "the embedder of a backend with less clearance than its session": [
    models("consent spare  auto canned", "«embedder near»", "", "clearance internal"),
    "`operator` may contain data for which this backend is not cleared; let `clearance` of the backend cover that of the session",
  ],
  "the embedder of a backend that is cleared for trusted data only": [
    models("consent spare  auto canned", "clearance public/reviewed  «embedder near»"),
    "this backend is cleared only for trusted data, and `operator` may contain other data",
  ],
  "the embedder of a backend with redactions": [
    models("consent spare  auto canned", "«embedder near»").replace(
      NEAR,
      `${NEAR}  redact cards label secret { matches "####" }  redact open label public { matches "####" }`,
    ),
    "this backend is not cleared for text that `cards` masks, and an embedder reads all text unmasked; let `clearance` of the backend cover",
  ],
  "the embedder of a backend that may not be used, if another session uses none": [
    models("consent canned", "«embedder near»", "", "").replace("backend spare { stub  }", ""),
    "in no session this backend is the first with `auto`; name the embedder in the backend",
  ],
});

const CUT_OFF = { "/night.cap": "session night { models { auto } }" };

expectUnsaid(
  "embedder-unfit",
  {
    "a syntax error in the page": models("auto spare", "embedder near").replace(
      "session operator",
      "sessio night  session operator",
    ),
    "a session with a syntax error in another file": models("auto canned", "", "embedder near", "").replace(
      "session operator",
      'use "night.cap"  session operator',
    ),
    "a page without a session": models("auto canned", "embedder near").replace(
      "session operator",
      "abstract session operator",
    ),
  },
  CUT_OFF,
);

expectAccepted("embedder-unfit, kept", {
  "the embedder of a backend that is cleared for data of any trust": models(
    "consent spare  auto canned",
    "clearance internal/untrusted  embedder near",
  ),
  "the embedder of the first backend that does not ask, after one that asks": models(
    "consent spare  auto canned",
    "embedder near",
  ),
  "an embedder for each of two sessions": `${models("auto canned", "embedder near", "embedder far")}`.replace(
    "session operator",
    "session night { kind operator  models { auto spare }  permit { auto readOnly } }  session operator",
  ),
});
