import { expectAdvised, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';
const sessions =
  "session operator { kind operator  clearance secret  models { auto canned }  permit { auto readOnly  consent notes.write } }";
const asserted = (label: string, ...lines: readonly string[]) =>
  renderFactsPage({
    services: `service notes : Files { state 1 MiB  label ${label} }  service vault : Files { state 1 MiB  label public/reviewed }`,
    sessions,
    rest: `${lines.join(" ")} ${END}`,
  });

expectAdvised("assertion-trivial", {
  "a level that nothing has": asserted("internal/reviewed", "«assert never flow secret to vault»"),
  "a trust below that of all data": asserted("internal/reviewed", "«assert never flow public/untrusted to vault»"),
  "a claim without releases": asserted("internal/reviewed", "«assert never flow secret to vault without releases»"),
  "a claim about a model": asserted("internal/reviewed", "«assert never flow secret to canned»"),
});

expectAdvised("assertion-trivial", {
  "a level that a service has": asserted("secret/reviewed", "assert never flow secret to vault"),
  "a level below that of a service": asserted("secret/reviewed", "assert never flow internal to vault"),
  "a claim about calls": asserted("public/reviewed", "assert never call notes.delete"),
});
