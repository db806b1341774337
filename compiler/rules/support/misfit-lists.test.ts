// Tests which conditions fit lists and their lengths, and the links and addresses inside a text.

import { expectFits, expectMisfits } from "./testing/misfits.ts";

const withoutQuantifier = (each: string) => ({
  why: "it is not a list",
  instead: `write the condition without \`${each}\``,
});
const COUNTED = {
  why: "it is not a list",
  instead: "`count` is for lists, and for `urls(…)` and `addresses(…)` of a text",
};
const COUNT = { why: "a count is a number", instead: "write `count(…) <= 10`" };
const searched = (extract: string) => ({
  why: "its type cannot contain links or addresses",
  instead: `\`${extract}\` is for running text`,
});
const SPELLINGS = {
  why: "one address has many spellings",
  instead: "write `origin(…) in […]` or `domain(…) in […]`",
};
const TEXT = { why: "it is a text", instead: 'write `== "…"`, `in ["…"]` or `size(…)`' };
const NUMBER = { why: "it is a number", instead: "write `<= 10`" };
const UNCONDITIONAL = "write the line without a condition on it, so that a person sees the value";

expectFits([
  ["text in a list", 'every(it) == "a"'],
  ["text in a list", 'some(it) in ["a", "b"]'],
  ["integer in a list", "every(it) <= 3"],
  ["path in a list", 'every(it) under "/a"'],
  ["text in a list", "every(size(it)) <= 64 KiB"],
  ["list", "count(it) <= 10"],
  ["list", "count(it) in [1, 2]"],
  ["text", "count(urls(it)) < 3"],
  ["meant text", "count(addresses(it)) == 0"],
  ["text", 'every(domain(urls(it))) in ["a.example"]'],
  ["text", 'some(origin(urls(it))) == "https://a.example"'],
  ["text", "every(size(urls(it))) <= 100"],
  ["text", 'every(addresses(it)) == "a@a.example"'],
  ["meant text", 'every(addresses(it)) endsWith "@a.example"'],
  ["text", 'every(domain(addresses(it))) under "a.example"'],
]);

expectMisfits([
  ["text", 'every(it) == "a"', withoutQuantifier("every")],
  ["text", 'some(it) == "a"', withoutQuantifier("some")],
  ["integer", "every(it) == 3", withoutQuantifier("every")],
  ["record", "every(it) == 3", withoutQuantifier("every")],
  ["path", "some(it) from person", withoutQuantifier("some")],
  ["json", 'every(it) == "a"', { why: "the gate does not check its content", instead: UNCONDITIONAL }],
  ["either", "some(it) == true", { why: "its value has one of several types", instead: UNCONDITIONAL }],
  ["text in a list", "every(it) < 3", TEXT],
  ["integer in a list", 'some(it) == "3"', NUMBER],
  ["text", "count(it) < 3", COUNTED],
  ["integer", "count(it) < 3", COUNTED],
  ["json", "count(it) < 3", COUNTED],
  ["list", "count(it) < 3 KiB", COUNT],
  ["list", "count(it) < 3 EUR", COUNT],
  ["list", 'count(it) == "3"', COUNT],
  ["list", 'count(it) in [3, "3"]', COUNT],
  ["list", 'count(it) under "/3"', COUNT],
  ["text", 'count(urls(it)) == "3"', COUNT],
  ["text", "count(addresses(it)) <= 3 KiB", COUNT],
]);

expectMisfits([
  ["path", "count(urls(it)) < 3", searched("urls")],
  ["url", "count(urls(it)) < 3", searched("urls")],
  ["money", "count(addresses(it)) < 3", searched("addresses")],
  ["program", "count(addresses(it)) < 3", searched("addresses")],
  ["integer", "count(urls(it)) < 3", searched("urls")],
  ["list", "count(urls(it)) < 3", searched("urls")],
  ["json", 'every(addresses(it)) == "a@a.example"', searched("addresses")],
  ["text", 'every(urls(it)) == "https://a.example"', SPELLINGS],
  ["meant text", 'some(urls(it)) startsWith "https://a.example"', SPELLINGS],
  ["text", "every(addresses(it)) == 3", TEXT],
  [
    "text",
    'every(origin(addresses(it))) == "https://a.example"',
    { why: "it is not a URL", instead: "`origin` is for URLs" },
  ],
  ["text", 'every(urls(it)) under "/a"', { why: "it is not a path", instead: "`under` is for paths" }],
]);
