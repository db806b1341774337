import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const shop = (fact: string) =>
  renderFactsPage({
    top: `interface Shop { method buy : destructive  ${fact} }`,
    services: "service shop : Shop {}",
    permit: "consent shop.buy",
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("meaning-unfit", {
  "money on a number": shop("«arg count is money EUR»"),
  "money on a choice": shop("«arg colour is money EUR»"),
  "a path on a truth value": shop("«arg gift is path»"),
  "an address on a record": shop("«arg size is url»"),
  "a program on a number, beside what fits": shop("arg price is money EUR  «arg count is program»"),
});

expectAccepted("meaning-unfit, kept", {
  "meanings of texts": shop("arg price is money EUR  arg from is url"),
  "a program among choices": shop("arg colour is program"),
});
