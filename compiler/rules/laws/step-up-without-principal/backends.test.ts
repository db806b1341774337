import { accepts, page, refuses } from "../../../dev/fixtures/facts.ts";

const session = (models: string, rest = "") =>
  page({
    top: 'principal alice { ssh "keys/alice.pub" }',
    backends: "backend canned { stub }  backend other { stub }",
    sessions: `session operator { kind operator  ${rest}  models { ${models} }  permit { auto readOnly } }`,
  });

refuses("step-up-without-principal", {
  "before a backend": session("«stepUp other»  auto canned"),
});

accepts("step-up-without-principal, kept", {
  "before a backend, with a key": session("stepUp other  auto canned", "principals alice"),
  "consent before a backend": session("consent other  auto canned"),
});
