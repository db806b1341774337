// Tests which arguments fit conditions on a part of a text: prefix, suffix, pattern, or the domain of an address.

import { expectFits, expectMisfits } from "./testing/misfits.ts";

const PATHS = {
  why: "one file has many paths",
  instead:
    'write `under "/folder/a.txt"`: it covers that file in all its paths; if it is a folder, also everything below it',
};
const SPELLINGS = {
  why: "one address has many spellings",
  instead: "write `origin(…) in […]` or `domain(…) in […]`",
};
const notText = (operator: string) => ({ why: "it is not a text", instead: `\`${operator}\` is for texts` });
const PATTERN = {
  why: "that is not a pattern",
  instead: "a pattern has 1 to 128 bytes and at most 8 `*`, and does not end in `\\`",
};
const EMPTY = { why: "every text meets this check", instead: "write the text that is required" };

expectFits([
  ["text", 'it startsWith "INV-"'],
  ["meant text", 'it endsWith "@a.example"'],
  ["program", 'it startsWith "git-"'],
  ["text", 'it matches "INV-####*"'],
  ["program", 'it matches "?"'],
  ["text", `it matches "${"*".repeat(8)}"`],
  ["text", `it matches "${"a".repeat(128)}"`],
  ["text in a list", 'every(it) endsWith "a"'],
]);

expectMisfits([
  ["path", 'it startsWith "/a"', PATHS],
  ["path", 'it matches "/a/*"', PATHS],
  ["url", 'it startsWith "https://a.example"', SPELLINGS],
  ["url", 'it endsWith ".pdf"', SPELLINGS],
  ["url", 'origin(it) startsWith "https://a"', SPELLINGS],
  ["money", 'it endsWith " EUR"', notText("endsWith")],
  ["integer", 'it startsWith "1"', notText("startsWith")],
  ["choice", 'it matches "r*"', notText("matches")],
  ["list", 'it startsWith "a"', notText("startsWith")],
  ["text", 'size(it) startsWith "1"', notText("startsWith")],
  ["text", 'origin(it) endsWith ".example"', notText("endsWith")],
  ["text", 'it matches ""', PATTERN],
  ["text", 'it matches "a\\\\"', PATTERN],
  ["text", `it matches "${"*".repeat(9)}"`, PATTERN],
  ["text", `it matches "${"a".repeat(129)}"`, PATTERN],
  ["text", 'it startsWith ""', EMPTY],
  ["text", 'it endsWith ""', EMPTY],
]);

const NO_ADDRESS = {
  why: "it is not a URL or an e-mail address",
  instead: "`domain` is only for URLs and e-mail addresses",
};
const WILDCARD = { why: "a wildcard is not a valid host", instead: 'write `domain(…) under "host.example"`' };
const DOMAIN = {
  why: "that is not a domain",
  instead: 'write `domain(…) in ["host.example"]` or `domain(…) under "host.example"`',
};

expectFits([
  ["text", 'domain(it) == "a.example"'],
  ["meant text", 'domain(it) != "a.example"'],
  ["url", 'domain(it) in ["a.example", "b.example"]'],
  ["url", 'domain(it) under "a.example"'],
]);

expectMisfits([
  ["path", 'domain(it) == "a.example"', NO_ADDRESS],
  ["money", 'domain(it) == "a.example"', NO_ADDRESS],
  ["program", 'domain(it) under "a.example"', NO_ADDRESS],
  ["integer", 'domain(it) == "a.example"', NO_ADDRESS],
  ["list", 'domain(it) == "a.example"', NO_ADDRESS],
  ["url", 'domain(it) == "*.example"', WILDCARD],
  ["url", 'domain(it) under "*"', WILDCARD],
  ["url", 'domain(it) in ["a.example", "*.b.example"]', WILDCARD],
  ["url", 'domain(it) == "A.example"', DOMAIN],
  ["url", 'domain(it) in ["a.example", "b.example/path"]', DOMAIN],
  ["url", 'domain(it) under "/a"', DOMAIN],
  ["url", "domain(it) == 3", DOMAIN],
  ["url", 'domain(it) in ["a.example", 3]', DOMAIN],
  ["url", 'domain(it) < "a.example"', DOMAIN],
  ["url", 'domain(it) startsWith "a.example"', DOMAIN],
]);
