import { expect, test } from "vitest";
import { expectAccepted, expectRefused, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { importing, pinned, SCHEMA_HEAD } from "../../../dev/fixtures/imports.ts";

const shop = (fact: string) =>
  renderFactsPage({
    top: `interface Shop { method buy : destructive  ${fact} }`,
    services: "service shop : Shop {}",
    permit: "consent shop.buy",
    rest: "image { target linux  machine vm  boot operator }",
  });

expectRefused("meaning-unfit", {
  "money on a number": [
    shop("«arg count is money EUR»"),
    "`count` of `buy` is a number, which cannot be an amount of money",
  ],
  "money on a choice": [
    shop("«arg colour is money EUR»"),
    "`colour` of `buy` is one of a list of words, which cannot be an amount of money",
  ],
  "a path on a boolean": [shop("«arg gift is path»"), "`gift` of `buy` is true or false, which cannot be a path"],
  "an address on a record": [shop("«arg size is url»"), "`size` of `buy` is a record, which cannot be a URL"],
  "a program on a number, beside facts that fit": [
    shop("arg price is money EUR  «arg count is program»"),
    "`count` of `buy` is a number, which cannot be the name of a program",
  ],
  "each of two facts": [
    shop("«arg count is text»  «arg gift is program»"),
    "`count` of `buy` is a number, which cannot be words",
    "`gift` of `buy` is true or false",
  ],
});

expectAccepted("meaning-unfit, kept", {
  "meanings for texts": shop("arg price is money EUR  arg from is url"),
  "a program for an argument with choices": shop("arg colour is program"),
});

const PAY = (said: string) =>
  `${SCHEMA_HEAD} interface Ledger { look @0 () -> () $Capos.category("readOnly"); pay @1 (to :Text, of :List(Text), sums :List(UInt32), sum :UInt32 ${said}) -> () $Capos.category("readOnly"); }`;

test.each([
  [
    "a meaning in a schema, at the interface",
    '$Capos.meaning("path")',
    "{}",
    "ledger.Ledger",
    "`sum` of `pay` is a number",
  ],
  [
    "a fact of the page about a schema, at that fact",
    "",
    "{ method pay : readOnly  arg sum is url }",
    "arg sum is url",
    "a URL",
  ],
  [
    "a fact of the page about a list",
    "",
    "{ method pay : readOnly  arg sums is path }",
    "arg sums is path",
    "is a number",
  ],
])("meaning-unfit reports %s", async (_, said, facts, place, words) => {
  const page = importing(
    `use capnp "ledger.capnp" as ledger  interface ledger.Ledger ${facts}  service books : ledger.Ledger { exec "books.js" }`,
  );
  const { diagnostics } = await pinned(page, { "/ledger.capnp": PAY(said), "/books.js": "export default {};" });
  expect(diagnostics.map(({ code, span }) => [code, page.slice(span.start, span.end)])).toEqual([
    ["meaning-unfit", place],
  ]);
  expect(diagnostics[0]?.message).toContain(words);
});
