import { expect, test } from "vitest";
import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { importing, pinned, SCHEMA_HEAD } from "../../../dev/fixtures/imports.ts";

const shop = (fact: string, permit: string) =>
  renderFactsPage({
    top: `interface Shop { method buy : destructive  ${fact} }`,
    services: "service shop : Shop {}",
    permit,
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("currency-unknown", {
  "a currency in a fact, not reported again where it is compared": shop(
    "arg price is money «EUX»",
    "consent shop.buy where price <= 1.00 EUX else forbidden",
  ),
  "a currency in a quota": renderFactsPage({ permit: "auto readOnly } quota { 5.00 «UDS» per day" }),
  "a currency in a quota of a backend": renderFactsPage({
    backends: "backend canned { stub  quota { 5.00 «XXX» per day } }",
  }),
  "a currency in a price": renderFactsPage({ top: 'model mini { served "gpt-4o-mini"  price 1 «EUX» }' }),
});

expectRefused("where-wrong-type", {
  "another currency, reported once": shop(
    "arg price is money EUR",
    "consent shop.buy where «price <= 1.00 EUX» else forbidden",
  ),
});

expectAccepted("currency-unknown, kept", {
  "a category with a name of three letters": renderFactsPage({
    top: "category UDS : readOnly  interface Board { method post : UDS }",
    services: "service board : Board {}",
    permit: "auto UDS } quota { 5 UDS per turn",
    rest: "image { target linux  machine vm  boot operator }",
  }),
  "a rare currency": renderFactsPage({ permit: "auto readOnly } quota { 5.00 ISK per day" }),
});

const LEDGER = (currency: string, methods = "") =>
  `${SCHEMA_HEAD} interface Ledger { ${methods} pay @0 (to :Text, sum :Text $Capos.meaning("money ${currency}")) -> () $Capos.category("destructive"); }`;
const BOOKS = `use capnp "ledger.capnp" as ledger
  interface ledger.Ledger {}  service books : ledger.Ledger { exec "books.js" }
  service more : ledger.Ledger { exec "books.js" }`;

test.each([
  ["EUX", ["ledger.Ledger"]],
  ["EUR", []],
])("currency-unknown reports an imported schema once, at its interface: %s", async (currency, places) => {
  const page = importing(BOOKS);
  const { diagnostics } = await pinned(page, { "/ledger.capnp": LEDGER(currency), "/books.js": "export default {};" });
  const found = diagnostics.map(({ code, span }) => [code, page.slice(span.start, span.end)]);
  expect(found).toEqual(places.map((place) => ["currency-unknown", place]));
});
