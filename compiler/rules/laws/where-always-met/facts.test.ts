import { expect, test } from "vitest";
import { isError } from "../../../../lang/diagnostics/index.ts";
import { expectAccepted, expectRefused, expectUnsaid, renderFactsPage } from "../../../dev/fixtures/facts.ts";
import { importing, pinned, SCHEMA_HEAD } from "../../../dev/fixtures/imports.ts";

const SHOP = {
  top: "interface Shop { method buy : destructive }",
  services: "service shop : Shop {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const shop = (where: string) => renderFactsPage({ ...SHOP, permit: `consent shop.buy where ${where} else forbidden` });

const MAIL = {
  top: "interface Mail { method send : destructive }",
  services: "service mail : Mail {}",
  rest: "image { target linux  machine vm  boot operator }",
};
const mail = (where: string) => renderFactsPage({ ...MAIL, permit: `consent mail.send where ${where} else forbidden` });

expectRefused("where-always-met", {
  "a required argument that is there": mail("«has(subject)»"),
  "a required list that is there": mail("«has(recipients)»"),
  "a count of nothing or more": mail("«count(recipients) >= 0»"),
  "elements within their bounds": mail("«every(items.amount) <= 65535 or absent»"),
  "a size of nothing or more": renderFactsPage({
    permit: "auto Files.write where «size(content) >= 0 B» else forbidden",
  }),
  "a size beyond what a call holds": renderFactsPage({
    permit: "auto Files.write where «size(content) <= 1 GiB» else forbidden",
  }),
  "beside a check that is not": renderFactsPage({
    permit: 'auto Files.write where «size(content) >= 0 B» and path under "/a" else forbidden',
  }),
  "a number within its bounds": [shop("«count >= 0»"), "`count >= 0`"],
  "of two tools, each of which meets it": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit: "auto Files.write where «size(content) >= 0 B» else forbidden",
  }),
  "a field within its bounds": shop("«size.width <= 65535»"),
  "in a task": renderFactsPage({
    rest: `task t in operator { permit { consent Files.write where «size(content) >= 0 B» else forbidden } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAccepted("where-always-met, kept", {
  "an optional argument that is there": mail("has(cc)"),
  "an optional argument within its bounds": mail("count(cc) >= 0"),
  "some element within its bounds": mail("some(items.amount) <= 65535"),
  "links of which there may be too many": mail("count(urls(body)) >= 0"),
  "a size that leaves out the empty text": renderFactsPage({
    permit: "auto Files.write where size(content) > 0 B else forbidden",
  }),
  "a number that leaves out its least": shop("count >= 1"),
  "one of all choices, for there may be more": shop('colour in ["red", "green"]'),
  "one of two choices": shop('colour == "red"'),
  "any path, for one with .. is in none": renderFactsPage({
    permit: 'consent Files.write where path under "/" else forbidden',
  }),
});

expectUnsaid("where-always-met", {
  "of a line that covers no tool": renderFactsPage({
    permit: "auto readOnly  auto Files.wrte where size(content) >= 0 B else forbidden",
  }),
  "of an argument that is not there": shop("cnt >= 0"),
  "of a check that does not fit": shop("gift >= 0"),
});

const LEDGER = `${SCHEMA_HEAD} interface Ledger {
  pay @0 (to :Text, cents :UInt8 = 1, of :Size) -> () $Capos.category("destructive");
  struct Size { width @0 :UInt8 = 1; height @1 :UInt8; }
}`;

test.each([
  ["cents >= 0", []],
  ["of.width >= 0", []],
  ["size(to) >= 0 B", ["where-always-met"]],
])("where-always-met is not said of what a call may leave out: %s", async (check, codes) => {
  const page = importing(
    'use capnp "ledger.capnp" as ledger  interface ledger.Ledger {}  service books : ledger.Ledger { exec "books.js" }',
    `consent books.pay where ${check} else forbidden`,
  );
  const { diagnostics } = await pinned(page, { "/ledger.capnp": LEDGER, "/books.js": "export default {};" });
  expect(diagnostics.filter(isError).map(({ code }) => code)).toEqual(codes);
});
