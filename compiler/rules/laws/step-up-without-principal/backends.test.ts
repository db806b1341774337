import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const session = (models: string, rest = "") =>
  renderFactsPage({
    top: 'principal alice { ssh "keys/alice.pub" }',
    backends: "backend canned { stub }  backend other { stub }",
    sessions: `session operator { kind operator  ${rest}  models { ${models} }  permit { auto readOnly } }`,
  });

expectRefused("step-up-without-principal", {
  "a step-up before a backend": session("«stepUp other»  auto canned"),
});

expectAccepted("step-up-without-principal, kept", {
  "a step-up before a backend, with a key": session("stepUp other  auto canned", "principals alice"),
  "consent before a backend": session("consent other  auto canned"),
});
