import { expect, test } from "vitest";
import { findMisfit } from "./misfit.ts";
import { ARGUMENTS, expectFits, expectMisfits, readCheck } from "./testing/misfits.ts";

const PATH = { why: "it is not a path", instead: "`under` is for paths" };
const FOLDER = {
  why: "the folder is not an absolute path",
  instead: 'write it as `under "/folder"`, without `..`',
};
const SIZED = { why: "only a text has a size", instead: "compare the value itself" };
const BYTES = { why: "a size is a number of bytes", instead: "write `size(…) <= 64 KiB`" };
const URL = { why: "it is not a URL", instead: "`origin` is for URLs" };
const ORIGIN = { why: "that is not an origin", instead: 'write `origin(…) in ["https://host.example"]`' };
const HOSTS = {
  why: "a wildcard is not a valid host",
  instead: 'name each host: `origin(…) in ["https://a.example", "https://b.example"]`',
};
const TRUTH = { why: "it is true or false", instead: "write `== true`" };
const NUMBER = { why: "it is a number", instead: "write `<= 10`" };
const CHOICE = { why: "it is one of a list of words", instead: 'compare with one of "red", "green"' };
const TEXT = { why: "it is a text", instead: 'write `== "…"`, `in ["…"]` or `size(…)`' };
const EUROS = { why: "it is an amount of EUR", instead: "write the amount with its currency: `<= 100.00 EUR`" };
const UNCONDITIONAL = "write the line without a condition on it, so that a person sees the value";
const SPELLINGS = {
  why: "one address has many spellings",
  instead: "write `origin(…) in […]` or `domain(…) in […]`",
};
const PARTS = { why: "it has parts", instead: "compare one of its fields: `name.field`" };

expectFits([
  ["path", 'it under "/a/b"'],
  ["path", 'it under "/a/..b"'],
  ["text", "size(it) <= 64 KiB"],
  ["path", "size(it) == 64"],
  ["url", 'origin(it) == "https://a.example"'],
  ["url", 'origin(it) in ["https://a.example", "https://b.example:8443"]'],
  ["truth value", "it == true"],
  ["truth value", "it != false"],
  ["integer", "it in [1, 2]"],
  ["integer", "it < 1 KiB"],
  ["number", "it >= 0.5"],
  ["choice", 'it == "red"'],
  ["choice", 'it in ["red", "green"]'],
  ["text", 'it != "a"'],
  ["meant text", 'it in ["a", "b"]'],
  ["program", 'it == "ls"'],
  ["money", "it <= 10.00 EUR"],
  ["money", "it in [1 EUR, 2 EUR]"],
  ["text", "has(it)"],
  ["json", "not has(it)"],
  ["record", "has(it)"],
  ["list", "has(it)"],
]);

test("a folder with a NUL character, which a page cannot contain, is not a valid folder", async () => {
  const check = await readCheck('it under "/a"');
  const literals = [{ kind: "text", text: "/a\0b", node: undefined }] as const;
  expect(findMisfit(ARGUMENTS.path, { ...check, literals })).toEqual(FOLDER);
});

expectMisfits([
  ["text", 'it under "/a"', PATH],
  ["url", 'it under "/a"', PATH],
  ["path", 'size(it) under "/a"', PATH],
  ["path", 'it under "a/b"', FOLDER],
  ["path", 'it under "/a/../b"', FOLDER],
  ["integer", "size(it) <= 3", SIZED],
  ["record", "size(it) <= 3", SIZED],
  ["text", 'size(it) == "3"', BYTES],
  ["text", "size(it) in [1, 2]", BYTES],
  ["text", "size(it) <= 3 EUR", BYTES],
  ["text", 'origin(it) == "https://a.example"', URL],
  ["path", 'origin(it) == "https://a.example"', URL],
  ["url", 'origin(it) < "https://a.example"', ORIGIN],
  ["url", "origin(it) == 3", ORIGIN],
  ["url", 'origin(it) in ["https://a.example", 3]', ORIGIN],
  ["url", 'origin(it) == "https://a.example/"', ORIGIN],
  ["url", 'origin(it) == "https://A.example"', ORIGIN],
  ["url", 'origin(it) == "https://a.example:443"', ORIGIN],
  ["url", 'origin(it) == "https://*.example"', HOSTS],
  ["url", 'origin(it) in ["https://a.example", "https://*"]', HOSTS],
  ["integer", 'origin(it) == "https://a.example"', URL],
  ["url", 'origin(it) under "/a"', PATH],
  ["url", 'origin(it) == "a.example"', ORIGIN],
  ["url", 'origin(it) in ["https://a.example", "https://b.example/path"]', ORIGIN],
  ["truth value", "it < true", TRUTH],
  ["truth value", "it in [true, true]", TRUTH],
  ["truth value", "it == 3", TRUTH],
  ["truth value", 'it == "true"', TRUTH],
  ["integer", 'it == "3"', NUMBER],
  ["integer", 'it in [3, "3"]', NUMBER],
  ["integer", "it <= 3 EUR", NUMBER],
  ["number", "it == true", NUMBER],
  ["choice", 'it == "blue"', CHOICE],
  ["choice", 'it in ["red", "blue"]', CHOICE],
  ["choice", 'it < "red"', CHOICE],
  ["choice", "it == 3", CHOICE],
  ["text", 'it < "a"', TEXT],
  ["text", "it == 3", TEXT],
  ["program", 'it in ["ls", 3]', TEXT],
  ["money", "it <= 10.00 USD", EUROS],
  ["money", "it <= 10.00", EUROS],
  ["money", "it in [1 EUR, 2]", EUROS],
  [
    "path",
    'it == "/a"',
    {
      why: "one file has many paths",
      instead:
        'write `under "/folder/a.txt"`: it covers that file in all its paths; if it is a folder, also everything below it',
    },
  ],
  ["url", 'it == "https://a.example"', SPELLINGS],
  ["list", 'it == "a"', { why: "it has parts", instead: "write `every(…)`, `some(…)` or `count(…)`" }],
  ["record", "it == 3", PARTS],
  ["json", 'it == "a"', { why: "the gate does not check its content", instead: UNCONDITIONAL }],
  ["json", "size(it) <= 3", SIZED],
  ["json", 'it under "/a"', PATH],
  ["either", "it == true", { why: "its value has one of several types", instead: UNCONDITIONAL }],
]);
