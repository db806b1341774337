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
  "the presence of a required argument": mail("«has(subject)»"),
  "the presence of a required list": mail("«has(recipients)»"),
  "a count of zero or more": mail("«count(recipients) >= 0»"),
  "list elements within the bounds of their type": mail("«every(items.amount) <= 65535 or absent»"),
  "a size of zero or more": renderFactsPage({
    permit: "auto Files.write where «size(content) >= 0 B» else forbidden",
  }),
  "a size larger than a call can have": renderFactsPage({
    permit: "auto Files.write where «size(content) <= 1 GiB» else forbidden",
  }),
  "a check beside one that may fail": renderFactsPage({
    permit: 'auto Files.write where «size(content) >= 0 B» and path under "/a" else forbidden',
  }),
  "a number within the bounds of its type": [shop("«count >= 0»"), "`count >= 0`"],
  "a check that holds for two tools": renderFactsPage({
    services: "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }",
    permit: "auto Files.write where «size(content) >= 0 B» else forbidden",
  }),
  "a field within the bounds of its type": shop("«size.width <= 65535»"),
  "a check in a task": renderFactsPage({
    rest: `task t in operator { permit { consent Files.write where «size(content) >= 0 B» else forbidden } }
           storage { disk "capos-data" }  image { target linux  machine vm  boot operator }`,
  }),
});

expectAccepted("where-always-met, kept", {
  "the presence of an optional argument": mail("has(cc)"),
  "an optional argument within the bounds of its type": mail("count(cc) >= 0"),
  "some element within the bounds of its type": mail("some(items.amount) <= 65535"),
  "links of which there may be too many to read": mail("count(urls(body)) >= 0"),
  "a size that excludes the empty text": renderFactsPage({
    permit: "auto Files.write where size(content) > 0 B else forbidden",
  }),
  "a number that excludes its minimum": shop("count >= 1"),
  "all choices, because more may be added": shop('colour in ["red", "green"]'),
  "one of two choices": shop('colour == "red"'),
  "any path, because a path with `..` is not in a folder": renderFactsPage({
    permit: 'consent Files.write where path under "/" else forbidden',
  }),
});

expectUnsaid("where-always-met", {
  "a line without tools": renderFactsPage({
    permit: "auto readOnly  auto Files.wrte where size(content) >= 0 B else forbidden",
  }),
  "an unknown argument": shop("cnt >= 0"),
  "a check of the wrong type": shop("gift >= 0"),
});

const LEDGER = `${SCHEMA_HEAD} interface Ledger {
  pay @0 (to :Text, cents :UInt8 = 1, of :Size) -> () $Capos.category("destructive");
  struct Size { width @0 :UInt8 = 1; height @1 :UInt8; }
}`;

test.each([
  ["cents >= 0", []],
  ["of.width >= 0", []],
  ["size(to) >= 0 B", ["where-always-met"]],
])("where-always-met is reported only if every call has the checked argument or field: %s", async (check, codes) => {
  const page = importing(
    'use capnp "ledger.capnp" as ledger  interface ledger.Ledger {}  service books : ledger.Ledger { exec "books.js" }',
    `consent books.pay where ${check} else forbidden`,
  );
  const { diagnostics } = await pinned(page, { "/ledger.capnp": LEDGER, "/books.js": "export default {};" });
  expect(diagnostics.filter(isError).map(({ code }) => code)).toEqual(codes);
});
