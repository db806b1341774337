import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";

const shop = (fact: string, permit: string) =>
  renderFactsPage({
    top: `interface Shop { method buy : destructive  ${fact} }`,
    services: "service shop : Shop {}",
    permit,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("currency-unknown", {
  "in a fact, and not again where it is compared": shop(
    "arg price is money «EUX»",
    "consent shop.buy where price <= 1.00 EUX else forbidden",
  ),
  "in a quota": renderFactsPage({ permit: "auto readOnly } quota { 5.00 «UDS» per day" }),
  "in a quota of a backend": renderFactsPage({ backends: "backend canned { stub  quota { 5.00 «XXX» per day } }" }),
});

expectRefused("where-wrong-type", {
  "another currency is said once": shop(
    "arg price is money EUR",
    "consent shop.buy where «price <= 1.00 EUX» else forbidden",
  ),
});

expectAccepted("currency-unknown, kept", {
  "a category of three letters": renderFactsPage({
    top: "category UDS : readOnly  interface Board { method post : UDS }",
    services: "service board : Board {}",
    permit: "auto UDS } quota { 5 UDS per turn",
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "a small currency": renderFactsPage({ permit: "auto readOnly } quota { 5.00 ISK per day" }),
});
